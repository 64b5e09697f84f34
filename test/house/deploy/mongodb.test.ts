import { runInNewContext } from 'node:vm';
import { MongoClient } from 'mongodb';
import { textOf } from './files.js';

interface Made {
  user: string;
  database: string;
  roles: unknown[];
}

/** Runs the script as mongosh would, on a server with that state and those users; returns its exit code and what it did. */
function check({ setName, primary, users }: { setName?: string; primary: boolean; users: string[] }) {
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
    runInNewContext(textOf('deploy/mongodb/ready.js'), context);
    return { code: 0, done };
  } catch (code) {
    return { code, done };
  }
}
const bindery = { user: 'bindery', database: 'admin', roles: [{ role: 'dbOwner', db: 'bindery' }] };

describe('the health check of MongoDB', () => {
  it('makes the replica set, then the users, and then nothing any more', () => {
    const users: string[] = [];
    expect(check({ primary: false, users })).toEqual({ code: 1, done: ['initiate mongodb:27017'] });
    expect(check({ setName: 'rs0', primary: false, users })).toEqual({ code: 1, done: [] });
    const made = [{ user: 'root', database: 'admin', roles: ['root'] }, bindery];
    expect(check({ setName: 'rs0', primary: true, users })).toEqual({ code: 0, done: made });
    expect(check({ setName: 'rs0', primary: true, users })).toEqual({ code: 0, done: [] });
  });

  it('goes on where it was interrupted', () => {
    expect(check({ setName: 'rs0', primary: true, users: ['root'] })).toEqual({ code: 0, done: [bindery] });
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
