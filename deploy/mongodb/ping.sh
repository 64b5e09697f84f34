#!/bin/bash
# Whether MongoDB answers, asked inside of its container: `{ping: 1, $db: "admin"}` as the bytes of its protocol. A mongosh for each question
# takes seconds of processor time, and comes too late on a busy machine.
set -eu
exec 3<>"/dev/tcp/127.0.0.1/${1:-27017}"
# The message: its length (51), number 1, no answer to another, kind 2013, no flags, one document.
printf '\x33\0\0\0\x01\0\0\0\0\0\0\0\xdd\x07\0\0\0\0\0\0\0' >&3
printf '\x1e\0\0\0\x10ping\0\x01\0\0\0\x02$db\0\x06\0\0\0admin\0\0' >&3
# The length of the answer, which begins with a byte that is not 0.
read -r -t 8 -n 1 -u 3
