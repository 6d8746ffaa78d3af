"""Says what cshogi thinks of positions: for each line of input one line of output, until the end.

A line of input is an SFEN, a tab, and the moves played from there with blanks between. A line of
output has these fields with tabs between: SFEN; 1 if in check, else 0; legal moves; those of them
that leave the opponent without a move and in check; a mating move that its own search finds (`none`
if it finds none, `-` in check, where that search must not be asked); declaration by 27 points; by
24 points; the code of the kind of repetition; how often the position has occurred.
"""

import sys

import cshogi

DECLARATIONS = {
    cshogi.NYUGYOKU_NONE: "no",
    cshogi.NYUGYOKU_WIN: "win",
    cshogi.NYUGYOKU_DRAW: "draw",
}


def occurrences(board):
    keys = [board.zobrist_hash()]
    while board.history:
        board.pop()
        keys.append(board.zobrist_hash())
    return keys.count(keys[0])


def mates(board, move):
    board.push(move)
    mated = board.is_check() and board.is_game_over()
    board.pop()
    return mated


def answer(line):
    sfen, moves = line.rstrip("\n").split("\t")
    board = cshogi.Board(sfen)
    for usi in moves.split():
        move = board.move_from_usi(usi)
        if not board.is_legal(move):
            return f"illegal: {usi}"
        board.push(move)
    legal = list(board.legal_moves)
    if board.is_check():
        found = "-"
    else:
        found = cshogi.move_to_usi(board.mate_move_in_1ply()) if board.mate_move_in_1ply() else "none"
    fields = [
        board.sfen(),
        int(board.is_check()),
        " ".join(map(cshogi.move_to_usi, legal)),
        " ".join(cshogi.move_to_usi(move) for move in legal if mates(board, move)),
        found,
        DECLARATIONS[board.nyugyoku_result(cshogi.LAW_27)],
        DECLARATIONS[board.nyugyoku_result(cshogi.LAW_24)],
        board.is_draw(),
        occurrences(board),
    ]
    return "\t".join(map(str, fields))


for line in sys.stdin:
    print(answer(line), flush=True)
