# shellcheck shell=sh
#
# Where the libraries that scripts/setup fetches lie. To be sourced: `. scripts/env.sh`.
#
# Sets, where they are not set already:
#   NARIKIN_CACHE      folder of fetched libraries (default: ${XDG_CACHE_HOME:-$HOME/.cache}/narikin)
#   LIBTORCH           libtorch 2.11.0; left alone when LIBTORCH_USE_PYTORCH is set
#   NARIKIN_OPENVINO   file libopenvino_c.so.*, OpenVINO's C interface
#   NARIKIN_ONNXRUNTIME   file libonnxruntime.so.*, where setup --onnxruntime or --test-tools got it
# and where these are there, for the tests that compare with others:
#   NARIKIN_TEST_PYTHON        Python with cshogi, onnx, onnxruntime, tensorboard (setup --test-tools)
#   NARIKIN_SHOGIARENA         the match runner ShogiArena (setup --test-tools)
#   NARIKIN_TORCH_PYTHON       Python with PyTorch (setup --pytorch)
#   NARIKIN_TSSHOGI            folder of the JavaScript library tsshogi (setup --test-tools)
#   NARIKIN_FAIRY_STOCKFISH    the engine fairy-stockfish
#   NARIKIN_NATS_SERVER        the broker nats-server (setup --fleet)
#   NARIKIN_GPSUSI             the engine of gpsshogi (setup --opponents)
#   NARIKIN_SJAAKII            the engine sjaakii (setup --opponents)

NARIKIN_TORCH_VERSION=2.11.0
NARIKIN_OPENVINO_VERSION=2026.4.1
NARIKIN_OPENVINO_FILE=libopenvino_c.so.2641
NARIKIN_TSSHOGI_VERSION=2.2.0
NARIKIN_SHOGIARENA_VERSION=1.3.2
NARIKIN_ONNXRUNTIME_VERSION=1.32.0

if [ -z "${NARIKIN_CACHE:-}" ]; then
    NARIKIN_CACHE=${XDG_CACHE_HOME:-${HOME:?is not set: give NARIKIN_CACHE=DIR}/.cache}/narikin
fi
case $NARIKIN_CACHE in /*) ;; *) NARIKIN_CACHE=$PWD/$NARIKIN_CACHE ;; esac
export NARIKIN_CACHE

# torch-sys reads "is set" as yes, even for 0 and the empty text.
case ${LIBTORCH_USE_PYTORCH:-0} in 0 | false | no) unset LIBTORCH_USE_PYTORCH ;; esac

if [ -n "${LIBTORCH_USE_PYTORCH:-}" ]; then
    unset LIBTORCH
elif [ -z "${LIBTORCH:-}" ]; then
    LIBTORCH=$NARIKIN_CACHE/libtorch-$NARIKIN_TORCH_VERSION-cpu
    if [ -d "$NARIKIN_CACHE/libtorch-$NARIKIN_TORCH_VERSION-cuda" ]; then
        LIBTORCH=$NARIKIN_CACHE/libtorch-$NARIKIN_TORCH_VERSION-cuda/torch
    fi
    export LIBTORCH
else
    # Cargo runs build scripts in other folders.
    case $LIBTORCH in /*) ;; *) LIBTORCH=$PWD/$LIBTORCH ;; esac
    export LIBTORCH
fi

if [ -z "${NARIKIN_OPENVINO:-}" ]; then
    NARIKIN_OPENVINO=$NARIKIN_CACHE/openvino-$NARIKIN_OPENVINO_VERSION/$NARIKIN_OPENVINO_FILE
fi
export NARIKIN_OPENVINO

# rustup's default place, for shells that were opened before it was installed.
if ! command -v cargo >/dev/null 2>&1 && [ -x "${HOME:-}/.cargo/bin/cargo" ]; then
    PATH=$HOME/.cargo/bin:$PATH
    export PATH
fi

# Named after the list of packages in scripts/setup: count up when that changes.
NARIKIN_TEST_TOOLS=$NARIKIN_CACHE/test-tools-1
if [ -z "${NARIKIN_TEST_PYTHON:-}" ] && [ -x "$NARIKIN_TEST_TOOLS/bin/python" ]; then
    export NARIKIN_TEST_PYTHON="$NARIKIN_TEST_TOOLS/bin/python"
fi
NARIKIN_SHOGIARENA_DIR=$NARIKIN_CACHE/shogiarena-$NARIKIN_SHOGIARENA_VERSION
if [ -z "${NARIKIN_SHOGIARENA:-}" ] && [ -x "$NARIKIN_SHOGIARENA_DIR/bin/shogiarena" ]; then
    export NARIKIN_SHOGIARENA="$NARIKIN_SHOGIARENA_DIR/bin/shogiarena"
fi
NARIKIN_PYTORCH=$NARIKIN_CACHE/pytorch-$NARIKIN_TORCH_VERSION
if [ -z "${NARIKIN_TORCH_PYTHON:-}" ] && [ -x "$NARIKIN_PYTORCH/bin/python" ]; then
    export NARIKIN_TORCH_PYTHON="$NARIKIN_PYTORCH/bin/python"
fi
NARIKIN_TSSHOGI_DIR=$NARIKIN_CACHE/tsshogi-$NARIKIN_TSSHOGI_VERSION
if [ -z "${NARIKIN_TSSHOGI:-}" ] && [ -d "$NARIKIN_TSSHOGI_DIR" ] && command -v node >/dev/null 2>&1; then
    export NARIKIN_TSSHOGI="$NARIKIN_TSSHOGI_DIR"
fi
if [ -z "${NARIKIN_ONNXRUNTIME:-}" ]; then
    for narikin_file in \
        "$NARIKIN_TEST_TOOLS"/lib/python3*/site-packages/onnxruntime/capi/libonnxruntime.so.*.*.* \
        "$NARIKIN_CACHE/onnxruntime-$NARIKIN_ONNXRUNTIME_VERSION"/libonnxruntime.so.*.*.*; do
        if [ -f "$narikin_file" ]; then
            export NARIKIN_ONNXRUNTIME="$narikin_file"
        fi
    done
    unset narikin_file
fi
if [ -z "${NARIKIN_FAIRY_STOCKFISH:-}" ] && [ -x /usr/games/fairy-stockfish ]; then
    export NARIKIN_FAIRY_STOCKFISH=/usr/games/fairy-stockfish
fi
if [ -z "${NARIKIN_NATS_SERVER:-}" ] && [ -x "$NARIKIN_CACHE/nats-server/usr/sbin/nats-server" ]; then
    export NARIKIN_NATS_SERVER="$NARIKIN_CACHE/nats-server/usr/sbin/nats-server"
fi
if [ -z "${NARIKIN_GPSUSI:-}" ] && [ -x /usr/games/gpsusi ]; then
    export NARIKIN_GPSUSI=/usr/games/gpsusi
fi
if [ -z "${NARIKIN_SJAAKII:-}" ] && [ -x /usr/games/sjaakii ]; then
    export NARIKIN_SJAAKII=/usr/games/sjaakii
fi
