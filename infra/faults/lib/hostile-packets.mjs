import { between, oneOf } from './seeded.mjs';
import { oddValue } from './hostile-values.mjs';
import { listen } from './socket.mjs';

const NAMES = [
  'login',
  'logout',
  'in-project',
  'left-project',
  'in-group',
  'update-metrics',
  'connect',
  'disconnect',
  'error',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '',
];

/** Raw packets: engine.io's type, then socket.io's. */
const raw = (random) =>
  oneOf(random, [
    '',
    '9',
    '4',
    '49',
    '42',
    '42[]',
    '42["in-project"',
    '42["in-project",null]',
    `42${between(random, 0, 1e9)}["in-project",{"projectId":{"toString":1}}]`,
    '42["__proto__",{}]',
    '4299999999999999999999["x"]',
    '451-["x",{"_placeholder":true,"num":0}]',
    '45999999-["x"]',
    '43["ack"]',
    '40/admin,{}',
    '40',
    '41',
    '1',
    '5',
    '6',
    'b' + 'A'.repeat(1_000),
    `42["in-project",${'['.repeat(5_000)}`,
    `42["in-project",{"projectId":"${'x'.repeat(60_000)}"}]`,
    `42["x","${'y'.repeat(70_000)}"]`,
    Buffer.from([0, 255, 1]),
  ]);

/** Sends malformed messages and packets on a user's socket, which the server may close. @returns how many were sent */
export async function oddPackets(random, who, { ids, count }) {
  let socket = await listen(who);
  for (let sent = 0; sent < count; sent += 1) {
    if (!socket.socket.connected) socket = await listen(who);
    if (random() < 0.5) {
      const body = random() < 0.5 ? { projectId: oneOf(random, ids), after: oddValue(random) } : oddValue(random);
      socket.socket.compress(false).emit(
        oneOf(
          random,
          NAMES.filter((name) => !['connect', 'disconnect', 'error'].includes(name)),
        ),
        body,
      );
    } else {
      socket.socket.io.engine?.transport?.ws?.send(raw(random));
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.close();
  return count;
}

/** Checks that a member can still join. */
export async function stillAnswers(who, projectId) {
  const socket = await listen(who);
  const answer = await socket.join(projectId);
  socket.close();
  return answer.ok;
}
