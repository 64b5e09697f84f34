// Prepares MongoDB, run by mongosh inside of its container until it ends with 0. On an empty server it makes the replica set of
// one member and the users, which MongoDB lets a client on the same host do as long as there is no user. Whatever it is
// interrupted in, the next run goes on.
const { MONGODB_HOST, MONGODB_ROOT_PASSWORD, MONGODB_PASSWORD } = process.env;
const admin = db.getSiblingDB('admin');

const authenticated = () => {
  try {
    return admin.auth('root', MONGODB_ROOT_PASSWORD).ok === 1;
  } catch {
    return false;
  }
};

function prepareUsers() {
  if (!authenticated()) {
    try {
      admin.createUser({ user: 'root', pwd: MONGODB_ROOT_PASSWORD, roles: ['root'] });
    } catch (error) {
      print(`MONGODB_ROOT_PASSWORD: not the password that these data were made with (${error.message})`);
      quit(1);
    }
    authenticated();
  }
  if (admin.getUser('bindery') === null)
    admin.createUser({ user: 'bindery', pwd: MONGODB_PASSWORD, roles: [{ role: 'dbOwner', db: 'bindery' }] });
}

const { setName, isWritablePrimary } = db.hello();
if (!setName) rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: MONGODB_HOST }] });
if (!isWritablePrimary) quit(1);
prepareUsers();
