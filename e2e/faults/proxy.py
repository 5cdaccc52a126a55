#!/usr/bin/env python3
"""A TCP proxy on loopback that misbehaves when told.

    proxy.py HOST:PORT     prints "proxy on PORT CONTROL_PORT"

Lines sent to the control port, each answered with one line:
    hole      connections that are open stay open, and nothing passes through them any more; new ones are served
    cut       connections that are open are reset
    count     answers with the number of connections taken so far
"""
import socket
import struct
import sys
import threading

host, port = sys.argv[1].rsplit(":", 1)
lock = threading.Lock()
pairs = set()  # guarded by lock; of open connections
taken = 0  # guarded by lock


class Pair:
    def __init__(self, client, server):
        self.client, self.server, self.swallows = client, server, False

    def pump(self, source, sink):
        try:
            while data := source.recv(65536):
                if not self.swallows:
                    sink.sendall(data)
        except OSError:
            pass
        if not self.swallows:
            self.reset()

    def reset(self):
        with lock:
            pairs.discard(self)
        for s in (self.client, self.server):
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            reset(s)


def reset(s):
    try:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        s.close()
    except OSError:
        pass


def serve(client):
    try:
        server = socket.create_connection((host, int(port)), 5)
        server.settimeout(None)
    except OSError:
        reset(client)
        return
    pair = Pair(client, server)
    with lock:
        pairs.add(pair)
    threading.Thread(target=pair.pump, args=(client, server), daemon=True).start()
    threading.Thread(target=pair.pump, args=(server, client), daemon=True).start()


def accept(listener):
    global taken
    while True:
        client, _ = listener.accept()
        with lock:
            taken += 1
        threading.Thread(target=serve, args=(client,), daemon=True).start()


def obey(command):
    with lock:
        mine = list(pairs)
    if command == "hole":
        for pair in mine:
            pair.swallows = True
    elif command == "cut":
        for pair in mine:
            pair.reset()
    elif command == "count":
        return str(taken)
    else:
        return "?"
    return f"{command} {len(mine)}"


front = socket.create_server(("127.0.0.1", 0), backlog=256)
control = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=accept, args=(front,), daemon=True).start()
print(f"proxy on {front.getsockname()[1]} {control.getsockname()[1]}", flush=True)
while True:
    peer, _ = control.accept()
    with peer, peer.makefile("rw") as lines:
        for line in lines:
            lines.write(obey(line.strip()) + "\n")
            lines.flush()
