// Creates the S3 bucket if it does not exist. Runs in Roughmix's image to use its S3 client, with the same S3_* variables.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// This file is outside the program's folder, so a plain import would not find its packages.
const { CreateBucketCommand, HeadBucketCommand, S3Client } = createRequire(`${process.cwd()}/backend/`)('@aws-sdk/client-s3');

const variable = (name) => process.env[name] ?? readFileSync(process.env[`${name}_FILE`] ?? name, 'utf8').trim();

const client = new S3Client({
  endpoint: variable('S3_ENDPOINT'),
  region: variable('S3_REGION'),
  forcePathStyle: true,
  credentials: { accessKeyId: variable('S3_ACCESS_KEY_ID'), secretAccessKey: variable('S3_SECRET_ACCESS_KEY') },
});
const Bucket = variable('S3_BUCKET');

const exists = async () => {
  try {
    await client.send(new HeadBucketCommand({ Bucket }));
    return true;
  } catch (error) {
    if (error.$metadata?.httpStatusCode === 404) return false;
    throw error;
  }
};

if (await exists()) process.stdout.write(`the bucket ${Bucket} exists\n`);
else {
  await client.send(new CreateBucketCommand({ Bucket }));
  process.stdout.write(`the bucket ${Bucket} was created\n`);
}
client.destroy();
