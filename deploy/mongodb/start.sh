#!/bin/sh
# Starts MongoDB as a replica set with authentication. Its members know each other by a key, which must be in a file of their own.
set -eu
umask 077
printf '%s' "$MONGODB_KEY" >/tmp/keyfile
rm -f /tmp/prepared

# One shell, once the server answers: each takes seconds of processor time.
prepare() {
  until bash /opt/bindery/ping.sh 2>/dev/null; do sleep 1; done
  until mongosh --quiet --norc 'mongodb://127.0.0.1/admin?directConnection=true' /opt/bindery/setup.js; do sleep 2; done
  touch /tmp/prepared
}
prepare &
exec mongod --replSet rs0 --keyFile /tmp/keyfile --bind_ip_all
