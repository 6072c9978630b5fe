import { createECDH } from 'node:crypto';

/** A host that does not exist, so that each message to it fails. */
const HOST = 'https://push.invalid';

/** Sends planted words as push endpoints and keys: one that is refused, one that is ended, one that stays. The other key is a point on the curve. */
export async function subscribeTo(who, words) {
  const at = (endpoint) => ({ endpoint, keys: { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: `${words.pushAuth}AAAAAA` } });
  const refused = await who.call('POST', '/api/push/subscriptions', at(`${HOST}:8443/${words.refusedEndpoint}`));
  if (refused.status !== 400) throw new Error(`an endpoint on another port was answered ${refused.status}`);
  await who.must('DELETE', '/api/push/subscriptions', { endpoint: `${HOST}/${words.endedEndpoint}` });
  await who.must('POST', '/api/push/subscriptions', at(`${HOST}/${words.pushEndpoint}`));
}

/** Whether a message to that host failed, without which a search of the output shows nothing. */
export const hasFailedToPush = (output) => output.includes('push message not accepted');
