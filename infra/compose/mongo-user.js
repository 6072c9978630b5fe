// Run once by the image, before anybody can connect: the user that Roughmix is, in the one database that it has.
db.getSiblingDB('roughmix').createUser({
  user: 'roughmix',
  pwd: fs.readFileSync('/run/keys/roughmix-password', 'utf8').trim(),
  roles: [{ role: 'readWrite', db: 'roughmix' }],
});
