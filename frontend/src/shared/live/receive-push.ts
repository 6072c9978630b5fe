import type { Push } from '@roughmix/contracts/live.js';
import { wasSentHere } from '../api/own-commands';
import type { LiveChannel } from './channels';
import type { LiveSocket } from './connection';
import { handle, type LiveSubscriber } from './handlers';
import type { LiveParts } from './live-parts';
import { completeBefore, type Room } from './room';
import { TOPIC_KINDS } from './topic-kinds';
import { topicKey } from './topics';

/**
 * Passes a push to its subscribers. The command's answer has already put this tab's own changes into the cache, so their pushes go only to `ownHandlers`,
 * for what answers leave out; they still complete positions.
 */
function receive(parts: LiveParts, { topicsOf }: LiveChannel, push: Push): void {
  if (parts.uid === null) return;
  const topics = topicsOf(push, parts.uid);
  const roomOf = (topic: (typeof topics)[number]): Room | undefined => parts.rooms.get(topicKey(topic));
  const isOwn = wasSentHere(push.commandId);
  const inRooms = topics.flatMap((topic) => {
    const room = roomOf(topic);
    return room?.isNew(push) === true ? [...room.subscribers] : [];
  });
  for (const { handlers, ownHandlers = {} } of [...(parts.isNew(push) ? parts.listeners : []), ...inRooms]) {
    handle(isOwn ? ownHandlers : handlers, parts.cache, push);
  }
  const sentTo = roomOf(topics[0]);
  if (sentTo && TOPIC_KINDS[sentTo.topic.kind].isOrdered) completeBefore(sentTo, push.position);
}

/** Handles the pushes of a channel that arrive at a socket. */
export const listenOn = (parts: LiveParts, socket: LiveSocket, channel: LiveChannel): void =>
  void socket.on(channel.name, (push: Push) => receive(parts, channel, push));

/** Starts listening to those channels of a subscriber that are not open yet. */
export function openChannels(parts: LiveParts, { channels }: LiveSubscriber): void {
  for (const channel of channels) {
    if (parts.channels.has(channel.name)) continue;
    parts.channels.set(channel.name, channel);
    if (parts.socket !== null) listenOn(parts, parts.socket, channel);
  }
}
