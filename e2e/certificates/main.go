// Issues certificates for made-up requests with the authority of kube-controller-manager, and asks its signers what they reject.
// record-certificates.sh runs it; the keys and times are fixed, so that the output is.
package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/url"
	"os"
	"time"

	capi "k8s.io/api/certificates/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	helper "k8s.io/kubernetes/pkg/apis/certificates"
	"k8s.io/kubernetes/pkg/controller/certificates/authority"
)

// steady signs without randomness.
type steady struct{ crypto.Signer }

func (s steady) Sign(_ io.Reader, digest []byte, opts crypto.SignerOpts) ([]byte, error) {
	return s.Signer.Sign(nil, digest, opts)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func elliptical(curve elliptic.Curve, scalar int64) *ecdsa.PrivateKey {
	key := &ecdsa.PrivateKey{D: big.NewInt(scalar)}
	key.Curve = curve
	key.X, key.Y = curve.ScalarBaseMult(key.D.Bytes())
	return key
}

func block(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

type extension struct {
	ID       string `json:"id"`
	Critical bool   `json:"critical"`
	Value    string `json:"value"`
}

type issued struct {
	Name       string      `json:"name"`
	Request    string      `json:"request"`
	Usages     []string    `json:"usages"`
	Seconds    int64       `json:"seconds"`
	Now        string      `json:"now"`
	Subject    string      `json:"subject,omitempty"`
	NotBefore  string      `json:"notBefore,omitempty"`
	NotAfter   string      `json:"notAfter,omitempty"`
	Extensions []extension `json:"extensions,omitempty"`
	Error      string      `json:"error,omitempty"`
}

type rejection struct {
	Signer  string   `json:"signer"`
	Request string   `json:"request"`
	Usages  []string `json:"usages"`
	Message string   `json:"message"`
}

type output struct {
	Certificate string      `json:"certificate"`
	Key         string      `json:"key"`
	Issued      []issued    `json:"issued"`
	Rejections  []rejection `json:"rejections"`
}

var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func request(template *x509.CertificateRequest, key crypto.Signer) string {
	return block("CERTIFICATE REQUEST", must(x509.CreateCertificateRequest(nil, template, steady{key})))
}

func named(name pkix.Name) *x509.CertificateRequest { return &x509.CertificateRequest{Subject: name} }

func main() {
	caKey := elliptical(elliptic.P256(), 7)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotBefore: now.Add(-time.Hour),
		NotAfter: now.Add(1000 * time.Hour), IsCA: true, BasicConstraintsValid: true, SubjectKeyId: []byte{1, 2, 3, 4},
	}
	caDER := must(x509.CreateCertificate(nil, template, template, caKey.Public(), steady{caKey}))
	ca := &authority.CertificateAuthority{Certificate: must(x509.ParseCertificate(caDER)), PrivateKey: caKey}
	out := output{
		Certificate: block("CERTIFICATE", caDER),
		Key:         block("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(caKey))),
	}

	key := elliptical(elliptic.P256(), 11)
	issue := func(name, csr string, usages []capi.KeyUsage, ttl time.Duration, at time.Time) {
		result := issued{Name: name, Request: csr, Seconds: int64(ttl / time.Second), Now: at.Format(time.RFC3339)}
		for _, usage := range usages {
			result.Usages = append(result.Usages, string(usage))
		}
		raw, _ := pem.Decode([]byte(csr))
		der, err := ca.Sign(raw.Bytes, authority.PermissiveSigningPolicy{
			TTL: ttl, Usages: usages, Backdate: 5 * time.Minute, Short: 8 * time.Hour,
			Now: func() time.Time { return at },
		})
		if err != nil {
			result.Error = err.Error()
		} else {
			certificate := must(x509.ParseCertificate(der))
			result.Subject = hex.EncodeToString(certificate.RawSubject)
			result.NotBefore = certificate.NotBefore.Format(time.RFC3339)
			result.NotAfter = certificate.NotAfter.Format(time.RFC3339)
			for _, e := range certificate.Extensions {
				result.Extensions = append(result.Extensions, extension{e.Id.String(), e.Critical, hex.EncodeToString(e.Value)})
			}
		}
		out.Issued = append(out.Issued, result)
	}

	client := []capi.KeyUsage{capi.UsageClientAuth}
	hour := time.Hour
	jane := request(named(pkix.Name{CommonName: "jane", Organization: []string{"devs"}}), key)
	issue("plain", jane, client, hour, now)
	for _, subject := range []pkix.Name{
		{CommonName: "a", Organization: []string{"x", "b", "m"}},
		{CommonName: "jürgen", Organization: []string{"Käse", "plain"}},
		{CommonName: "a*b"}, {CommonName: "a&b"}, {CommonName: "a@b.example"}, {CommonName: "system:node:n1"},
		{Organization: []string{"only"}},
		{CommonName: "c", Country: []string{"DE"}, Province: []string{"B"}, Locality: []string{"L"}, OrganizationalUnit: []string{"u2", "u1"}, StreetAddress: []string{"s 1"}, PostalCode: []string{"10115"}, SerialNumber: "77"},
		{CommonName: "c", ExtraNames: []pkix.AttributeTypeAndValue{{Type: asn1.ObjectIdentifier{0, 9, 2342, 19200300, 100, 1, 25}, Value: "dropped"}}},
		{ExtraNames: []pkix.AttributeTypeAndValue{{Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: "first"}, {Type: asn1.ObjectIdentifier{2, 5, 4, 10}, Value: "after"}, {Type: asn1.ObjectIdentifier{2, 5, 4, 3}, Value: "last"}}},
		{CommonName: "ca"},
	} {
		issue("subject", request(named(subject), key), client, hour, now)
	}
	names := named(pkix.Name{CommonName: "n"})
	names.URIs = []*url.URL{must(url.Parse("https://example.com/x"))}
	names.IPAddresses = []net.IP{net.ParseIP("10.0.0.1"), net.ParseIP("fd00::1")}
	names.EmailAddresses = []string{"a@example.com"}
	names.DNSNames = []string{"z.example", "a.example"}
	issue("all other names", request(names, key), client, hour, now)
	names.Subject = pkix.Name{}
	issue("no subject", request(names, key), client, hour, now)
	foreign := named(pkix.Name{CommonName: "x"})
	foreign.ExtraExtensions = []pkix.Extension{
		{Id: asn1.ObjectIdentifier{2, 5, 29, 19}, Critical: true, Value: []byte{0x30, 3, 1, 1, 0xff}},
		{Id: asn1.ObjectIdentifier{1, 2, 3, 4}, Value: []byte{5, 0}}}
	issue("other extensions", request(foreign, key), client, hour, now)
	seed := make([]byte, ed25519.SeedSize)
	issue("ed25519", request(named(pkix.Name{CommonName: "ed"}), ed25519.NewKeyFromSeed(seed)), client, hour, now)
	issue("p384", request(named(pkix.Name{CommonName: "p"}), elliptical(elliptic.P384(), 5)), client, hour, now)
	issue("p521", request(named(pkix.Name{CommonName: "p"}), elliptical(elliptic.P521(), 5)), client, hour, now)

	all := []capi.KeyUsage{
		capi.UsageSigning, capi.UsageDigitalSignature, capi.UsageContentCommitment, capi.UsageKeyEncipherment, capi.UsageKeyAgreement,
		capi.UsageDataEncipherment, capi.UsageCertSign, capi.UsageCRLSign, capi.UsageEncipherOnly, capi.UsageDecipherOnly, capi.UsageAny,
		capi.UsageServerAuth, capi.UsageClientAuth, capi.UsageCodeSigning, capi.UsageEmailProtection, capi.UsageSMIME,
		capi.UsageIPsecEndSystem, capi.UsageIPsecTunnel, capi.UsageIPsecUser, capi.UsageTimestamping, capi.UsageOCSPSigning,
		capi.UsageMicrosoftSGC, capi.UsageNetscapeSGC}
	for _, usage := range all {
		issue("usage "+string(usage), jane, []capi.KeyUsage{usage}, hour, now)
	}
	issue("all usages", jane, all, hour, now)
	issue("no usage", jane, nil, hour, now)
	issue("unknown usages", jane, []capi.KeyUsage{"client auth", "flying", "x y"}, hour, now)
	for _, ttl := range []time.Duration{10 * time.Minute, 8*time.Hour - time.Second, 8 * time.Hour, 24 * time.Hour, 999 * time.Hour, 1000 * time.Hour, 8760 * time.Hour} {
		issue("lifetime", jane, client, ttl, now)
	}
	end := template.NotAfter
	for _, at := range []time.Time{end.Add(-time.Second), end, end.Add(5*time.Minute - time.Second), end.Add(5 * time.Minute), end.Add(time.Hour)} {
		issue("end of the authority", jane, client, hour, at)
	}

	node := pkix.Name{CommonName: "system:node:n1", Organization: []string{"system:nodes"}}
	san := func(change func(*x509.CertificateRequest)) *x509.CertificateRequest {
		t := named(node)
		change(t)
		return t
	}
	requests := []*x509.CertificateRequest{
		named(node), named(pkix.Name{CommonName: "system:node:n1"}),
		named(pkix.Name{CommonName: "system:node:n1", Organization: []string{"system:nodes", "more"}}),
		named(pkix.Name{CommonName: "n1", Organization: []string{"system:nodes"}}),
		san(func(t *x509.CertificateRequest) { t.DNSNames = []string{"n1"} }),
		san(func(t *x509.CertificateRequest) { t.IPAddresses = []net.IP{net.ParseIP("10.0.0.1")} }),
		san(func(t *x509.CertificateRequest) { t.EmailAddresses = []string{"a@b.c"} }),
		san(func(t *x509.CertificateRequest) { t.URIs = []*url.URL{must(url.Parse("https://x"))} }),
		san(func(t *x509.CertificateRequest) { t.DNSNames = []string{"n1"}; t.EmailAddresses = []string{"a@b.c"} }),
		san(func(t *x509.CertificateRequest) {
			t.DNSNames = []string{"n1"}
			t.URIs = []*url.URL{must(url.Parse("https://x"))}
		}),
		san(func(t *x509.CertificateRequest) { t.DNSNames = []string{"n1"}; t.Subject.CommonName = "n1" }),
	}
	usages := [][]string{
		{"digital signature", "key encipherment", "client auth"}, {"client auth", "digital signature"}, {"client auth"},
		{"digital signature", "key encipherment", "server auth"}, {"server auth", "digital signature"},
		{"digital signature", "digital signature", "client auth"}, {},
	}
	checks := []struct {
		signer string
		check  func(*x509.CertificateRequest, sets.String) error
	}{
		{capi.KubeletServingSignerName, helper.ValidateKubeletServingCSR},
		{capi.KubeAPIServerClientKubeletSignerName, helper.ValidateKubeletClientCSR},
	}
	for _, each := range checks {
		for _, template := range requests {
			csr := request(template, key)
			for _, list := range usages {
				result := rejection{Signer: each.signer, Request: csr, Usages: list}
				if err := each.check(must(helper.ParseCSR([]byte(csr))), sets.NewString(list...)); err != nil {
					result.Message = err.Error()
				}
				out.Rejections = append(out.Rejections, result)
			}
		}
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(out); err != nil {
		panic(err)
	}
}
