# The plots of bench/run, from its tables in the current directory.
set terminal svg size 800,480 background "white" font "sans-serif,13" noenhanced
set datafile separator "\t"
unset key
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set yrange [0:*]
set format y "%g"
set style line 1 lc rgb "#555555" lw 2 pt 7 ps 0.5
set style line 2 lc rgb "#d62728" lw 2 pt 7 ps 0.5
set style line 3 lc rgb "#1f77b4" lw 2 pt 7 ps 0.5
set style line 4 lc rgb "#2ca02c" lw 2 pt 7 ps 0.5
set style line 5 lc rgb "#9467bd" lw 2 pt 7 ps 0.5

# A file's second column is the key. Its first is 1, its next 2; of a spread only the median is left.
keys(file) = int(system("awk -F'\t' 'NR > 1 && !seen[$2]++ { n++ } END { print n }' " . file))
name(file, key) = system("awk -F'\t' 'NR > 1 && !seen[$2]++ && ++n == " . key . " { print $2 }' " . file)
of(file, key) = "< awk -F'\t' 'NR > 1 { gsub(/ \\([^)]*\\)/, \"\"); if (!no[$2]) no[$2] = ++n; if (no[$2] == " . key . ") print }' " . file
# Where a line's name stands: beside its end, but above the names of lines that end lower
beside(file, column, key) = system("awk -F'\t' 'NR > 1 { " . \
	"if (!no[$2]) no[$2] = ++n; y[$2] = $" . column . " + 0; if (y[$2] > top) top = y[$2] } " . \
	"END { at = -1; while (n--) { low = \"\"; " . \
	"for (k in y) if (low == \"\" || y[k] < y[low]) low = k; " . \
	"at = at < 0 || y[low] > at + top * 0.055 ? y[low] : at + top * 0.055; " . \
	"if (no[low] == " . key . ") print at; delete y[low] } }' " . file)
# rows/s when the table is largest, by the key's name
last_quarter(key) = real(system("awk -F'\t' '$1 ~ /" . key . "/ { print $3 + 0 }' growth.tsv"))

# The name of each line
lines = 'unset label; set rmargin at screen 0.76; do for [i = 1:keys(file)] { ' . \
	'set label i name(file, i) at graph 1.02, first real(beside(file, column, i)) tc ls i }'

if (system("test -e growth_plot.tsv && echo 1") eq "1") {
	set xlabel "rows in the table, millions"
	file = "growth_plot.tsv"
	column = 4
	eval lines
	set output "growth_rate.svg"
	set title "Rows inserted per second while the table grows beyond shared_buffers"
	set label 9 at graph 0.98, graph 0.36 right \
		sprintf("uuidv7(), last quarter: %.1f times as many rows per second as v4", last_quarter("^v7: uuidv7") / last_quarter("^v4:"))
	plot for [i = 1:keys(file)] of(file, i) using ($3 / 1e6):4 with linespoints ls i
	column = 5
	eval lines
	set output "growth_wal.svg"
	set title "WAL bytes per row while the table grows beyond shared_buffers"
	plot for [i = 1:keys(file)] of(file, i) using ($3 / 1e6):5 with linespoints ls i
}
