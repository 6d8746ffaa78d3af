"""cshogi's df-pn on positions from standard input: `python cshogi_df_pn.py [NODES] < FILE`.

A line begins with an SFEN; what comes after a tab, empty lines and lines with # are left out. For each
one line comes out: `mate`, `nomate` or `unknown` (NODES were not enough), nodes, and the line found,
separated by tabs. At the end, on standard error: how many of each, and the CPU time of the searches.
cshogi does not look for the shortest mate, and counts every ply.
"""

import collections
import sys
import time

import cshogi

NODES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000

# Depth and draw ply are as large as cshogi takes them.
solver = cshogi.DfPn(2000, NODES, 32767)
board = cshogi.Board()
counts = collections.Counter()
cpu_time = 0.0
for text in sys.stdin:
    sfen = text.rstrip("\n").split("\t")[0]
    if not sfen or sfen.startswith("#") or sfen == "sfen":
        continue
    board.set_sfen(sfen)
    before = time.process_time()
    found = solver.search(board)
    cpu_time += time.process_time() - before
    nodes = solver.searched_node
    line = ""
    if found:
        answer = "mate"
        line = " ".join(cshogi.move_to_usi(mv) for mv in solver.get_pv(board))
    elif nodes < NODES:
        answer = "nomate"
    else:
        answer = "unknown"
    counts[answer] += 1
    print(answer, nodes, line, sep="\t", flush=True)
print(dict(counts), f"CPU time {cpu_time:.2f} s", file=sys.stderr)
