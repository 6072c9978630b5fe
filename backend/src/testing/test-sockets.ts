import type { Person, TestApp } from './app.js';
import { type Answer, bodyOf } from './test-client.js';
import { isAside, type ReceivedMessage, socketOf, type TestSocket } from './test-socket.js';

/** Opens sockets of one app and closes them together. */
export class TestSockets {
  private readonly sockets: TestSocket[] = [];

  /** Opens a socket for a user and joins a project's room if one is given. */
  async socket(who: Person, projectId?: string): Promise<TestSocket> {
    const socket = await socketOf(who);
    this.sockets.push(socket);
    const joined = projectId === undefined ? { ok: true } : await socket.join(projectId);
    if (!joined.ok) throw new Error(`join refused: ${JSON.stringify(joined)}`);
    return socket;
  }

  async stop(app: TestApp): Promise<void> {
    for (const socket of this.sockets) socket.close();
    await app.stop();
  }
}

/**
 * The messages that sockets in a project's rooms receive during one call (without a call: up to now), except presence and
 * notifications, which have a lane of their own. A rename, which is sent to members and visitors, marks the end.
 */
export async function receivedDuring(owner: Person, projectId: string, sockets: readonly TestSocket[], call?: () => Promise<Answer>): Promise<ReceivedDuring> {
  if (call !== undefined) await receivedDuring(owner, projectId, sockets);
  const answer = await call?.();
  if (answer !== undefined) bodyOf(answer);
  const { headers } = await owner.put(`/api/projects/${projectId}`, { submission: { projectName: `Renamed ${Math.random()}` } });
  const position = Number(headers.get('x-position'));
  const isEnd = ({ body }: ReceivedMessage): boolean => body.type === 'ProjectName' && body.position === position;
  await Promise.all(sockets.map((socket) => socket.until(isEnd)));
  const received = sockets.map((socket) => {
    const all = socket.received.filter((each) => !isAside(each));
    socket.clear();
    return all.slice(0, all.findIndex(isEnd));
  });
  return { received, answer: answer ?? null };
}

/** What each socket received, in the order of the sockets, and the response of the call. */
export interface ReceivedDuring {
  readonly received: readonly (readonly ReceivedMessage[])[];
  readonly answer: Answer | null;
}

/** Messages as `channel type`. */
export const channelsAndTypes = (received: readonly ReceivedMessage[]): readonly string[] =>
  received.map(({ channel, body }) => `${channel} ${body.type ?? ''}`);
