# Prints the values of informers, the best of their runs, as a table, and each divided by that of the library `base`.
$2 == "pods" {
    if (!($1 in seen)) { seen[$1] = ++libraries; name[libraries] = $1 }
    for (i = 4; i < NF; i += 2) {
        if (!($i in column)) { column[$i] = ++columns; title[columns] = $i }
        key = $1 SUBSEP $i
        more = $i == "events/s"
        if (!(key in best) || (more ? $(i + 1) > best[key] : $(i + 1) < best[key])) best[key] = $(i + 1) + 0
    }
}
END {
    printf "| library |"; for (c = 1; c <= columns; c++) printf " %s |", title[c]; printf "\n| --- |"
    for (c = 1; c <= columns; c++) printf " --- |"; printf "\n"
    for (l = 1; l <= libraries; l++) {
        printf "| %s |", name[l]
        for (c = 1; c <= columns; c++) {
            value = best[name[l] SUBSEP title[c]]; other = best[base SUBSEP title[c]]
            printf " %s (%.2f) |", value, other ? value / other : 0
        }
        printf "\n"
    }
}
