// Makes the bucket where there is none. Run in Roughmix's image, whose client it uses; S3_* as the program takes them.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// This file lies outside the program's folder, where a plain import would not find its packages.
const { CreateBucketCommand, HeadBucketCommand, S3Client } = createRequire(`${process.cwd()}/backend/`)('@aws-sdk/client-s3');

const variable = (name) => process.env[name] ?? readFileSync(process.env[`${name}_FILE`] ?? name, 'utf8').trim();

const client = new S3Client({
  endpoint: variable('S3_ENDPOINT'),
  region: variable('S3_REGION'),
  forcePathStyle: true,
  credentials: { accessKeyId: variable('S3_ACCESS_KEY_ID'), secretAccessKey: variable('S3_SECRET_ACCESS_KEY') },
});
const Bucket = variable('S3_BUCKET');

const isThere = async () => {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return true;
  } catch (error) {
    if (error.$metadata?.httpStatusCode === 404) return false;
    throw error;
  }
};

if (await isThere()) process.stdout.write(`the bucket ${Bucket} is there\n`);
else {
  await client.send(new CreateBucketCommand({ Bucket }));
  process.stdout.write(`the bucket ${Bucket} was made\n`);
}
client.destroy();
