#!/bin/sh
# Starts MongoDB as a replica set with authentication. Its members know each other by a key, which must be in a file of their own.
set -eu
umask 077
printf '%s' "$MONGODB_KEY" >/tmp/keyfile
exec mongod --replSet rs0 --keyFile /tmp/keyfile --bind_ip_all
