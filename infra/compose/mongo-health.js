// Healthy means: a writable member of rs0. The first successful connection initiates the replica set with this single member.
const password = fs.readFileSync('/run/keys/root-password', 'utf8').trim();
const admin = connect(`mongodb://root:${password}@127.0.0.1:27017/admin?directConnection=true&serverSelectionTimeoutMS=2000`);
const { isWritablePrimary, setName } = admin.hello();
if (setName === undefined) admin.adminCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] } });
quit(isWritablePrimary && setName === 'rs0' ? 0 : 1);
