#!/bin/sh
# Runs a command and waits for it, so that its time counts as ours:
#
#   sh watch.sh FOLDER PATIENCE COMMAND...
#
# When FOLDER/at has not changed for PATIENCE seconds of the processor, or for
# twenty times as long on the clock, the command is killed and FOLDER/hang is
# written.
set -u
folder=$1
patience=$2
shift 2
"$@" >>"$folder/said" 2>&1 </dev/null &
pid=$!

# Hundredths of a second of the processor; 0 where /proc is not there.
taken() {
  awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0
}

(
  last=
  while sleep 1; do
    now=$(cat "$folder/at" 2>/dev/null)
    if [ "$now" != "$last" ]; then
      last=$now
      begun=$(taken)
      still=0
    fi
    still=$((still + 1))
    if [ $(($(taken) - ${begun:-0})) -ge $((patience * 100)) ] ||
      [ "$still" -ge $((patience * 20)) ]; then
      : >"$folder/hang"
      kill -9 "$pid"
      exit
    fi
  done
) &
watcher=$!
wait "$pid"
kill "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit 0
