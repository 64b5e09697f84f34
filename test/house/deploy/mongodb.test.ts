import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { BSON, MongoClient } from 'mongodb';
import { packageFile } from '../../../shared/process/package-root.js';
import { textOf } from './files.js';

interface Made {
  user: string;
  database: string;
  roles: unknown[];
}

/** Runs the script as mongosh would, on a server with that state and those users; returns its exit code and what it did. */
function setUp({ setName, primary, users }: { setName?: string; primary: boolean; users: string[] }) {
  const done: (string | Made)[] = [];
  const database = (name: string) => ({
    auth: (user: string) => {
      if (!users.includes(user)) throw new Error('Authentication failed.');
      return { ok: 1 };
    },
    createUser: ({ user, roles }: { user: string; roles: unknown[] }) => {
      users.push(user);
      done.push({ user, database: name, roles });
    },
    getUser: (user: string) => (users.includes(user) ? { user } : null),
  });
  const quit = (code: number) => {
    throw code;
  };
  const context = {
    process: { env: { MONGODB_HOST: 'mongodb:27017', MONGODB_ROOT_PASSWORD: 'a', MONGODB_PASSWORD: 'b' } },
    db: { hello: () => ({ setName, isWritablePrimary: primary }), getSiblingDB: database },
    rs: { initiate: ({ members }: { members: { host: string }[] }) => done.push(`initiate ${members[0]?.host}`) },
    quit,
  };
  try {
    runInNewContext(textOf('deploy/mongodb/setup.js'), context);
    return { code: 0, done };
  } catch (code) {
    return { code, done };
  }
}
const bindery = { user: 'bindery', database: 'admin', roles: [{ role: 'dbOwner', db: 'bindery' }] };

describe('the setup of MongoDB', () => {
  it('makes the replica set, then the users, and then nothing any more', () => {
    const users: string[] = [];
    expect(setUp({ primary: false, users })).toEqual({ code: 1, done: ['initiate mongodb:27017'] });
    expect(setUp({ setName: 'rs0', primary: false, users })).toEqual({ code: 1, done: [] });
    const made = [{ user: 'root', database: 'admin', roles: ['root'] }, bindery];
    expect(setUp({ setName: 'rs0', primary: true, users })).toEqual({ code: 0, done: made });
    expect(setUp({ setName: 'rs0', primary: true, users })).toEqual({ code: 0, done: [] });
  });

  it('goes on where it was interrupted', () => {
    expect(setUp({ setName: 'rs0', primary: true, users: ['root'] })).toEqual({ code: 0, done: [bindery] });
  });
});

describe('the health check of MongoDB', () => {
  /** Asks a server that does `connected` with each connection. */
  async function ping(connected: (socket: Socket) => void) {
    const server = createServer(connected).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const asked = promisify(execFile)('bash', [packageFile('deploy/mongodb/ping.sh'), String(port)]);
    const code = await asked.then(
      () => 0,
      (error) => error.code,
    );
    server.close();
    return code;
  }

  it('is a ping, and good when it is answered', async () => {
    const asked: Buffer[] = [];
    const code = await ping((socket) =>
      socket.on('data', (chunk) => {
        asked.push(chunk);
        if (Buffer.concat(asked).length >= 51) socket.end(Buffer.from([38]));
      }),
    );
    const message = Buffer.concat(asked);
    expect([message.readInt32LE(0), message.readInt32LE(12)]).toEqual([message.length, 2013]);
    expect(BSON.deserialize(message.subarray(21))).toEqual({ ping: 1, $db: 'admin' });
    expect(code).toBe(0);
  });

  it('is bad when nothing is answered', async () => {
    expect(await ping((socket) => socket.resume().end())).toBe(1);
  });
});

it.each(['docker-compose.yml', 'k8s/small/stores.yaml'])(
  'the address in %s names the user, its database and the replica set that are made',
  (file) => {
    const [address = ''] = /mongodb:\/\/\S+/.exec(textOf(file).replace(/\$[({].+?[)}]/g, 'secret')) ?? [];
    const { credentials, replicaSet, dbName } = new MongoClient(address).options;
    expect([credentials?.username, credentials?.source]).toEqual([bindery.user, bindery.database]);
    expect(bindery.roles).toEqual([{ role: 'dbOwner', db: dbName }]);
    expect(textOf('deploy/mongodb/start.sh')).toContain(`--replSet ${replicaSet} `);
  },
);
