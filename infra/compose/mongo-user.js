// Run once by the image, before the server accepts connections: creates Roughmix's user, with access to its database only.
db.getSiblingDB('roughmix').createUser({
  user: 'roughmix',
  pwd: fs.readFileSync('/run/keys/roughmix-password', 'utf8').trim(),
  roles: [{ role: 'readWrite', db: 'roughmix' }],
});
