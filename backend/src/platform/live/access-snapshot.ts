import { Injectable } from '@nestjs/common';
import type { Topic } from '@roughmix/contracts/live.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { LiveServer } from './connections.js';
import type { BuiltEmission, BuiltStep } from './push-builder.js';
import { type MayHear, roomOf, Topics } from './topics.js';

/**
 * Who may receive the pushes of some topics at one moment. Taken after the views were read and used before anything else is awaited, so no one gets a view
 * made after they lost access.
 */
export class AccessSnapshot {
  constructor(private readonly access: ReadonlyMap<string, MayHear>) {}

  /** @throws Error for a topic that the snapshot does not cover */
  mayHear(topic: Topic, uid: Uid): boolean {
    const mayHear = this.access.get(roomOf(topic));
    if (mayHear === undefined) throw new Error(`no access was read for ${roomOf(topic)}`);
    return mayHear(uid);
  }

  /** Whether a person may get an emission in one of its rooms. */
  mayGet({ subject, tellsOfLoss }: BuiltEmission, topic: Topic, uid: Uid): boolean {
    if (tellsOfLoss === true) return true;
    return this.mayHear(topic, uid) && (subject === undefined || this.mayHear(subject, uid));
  }

  /** Sends an emission to everyone in its rooms who may get it. */
  send(server: LiveServer, emission: BuiltEmission): void {
    const rooms = emission.topics.map((topic) => ({ room: roomOf(topic), spared: this.withoutAccess(server, topic, emission) }));
    for (const push of emission.pushes) {
      // The channel and its push were paired by the source.
      for (const { room, spared } of rooms) (server.to(room).except(spared) as { emit(channel: string, push: unknown): boolean }).emit(emission.channel, push);
    }
  }

  /** Ids of the sockets in a topic's room whose person has lost access; the eviction that takes them out may still be on its way. */
  withoutAccess(server: LiveServer, topic: Topic, emission?: BuiltEmission): string[] {
    const { adapter, sockets } = server.sockets;
    return [...(adapter.rooms.get(roomOf(topic)) ?? [])].filter((id) => {
      const uid = sockets.get(id)?.data.caller.uid;
      if (uid === undefined) return true;
      return emission === undefined ? !this.mayHear(topic, uid) : !this.mayGet(emission, topic, uid);
    });
  }
}

/** Takes snapshots of access. */
@Injectable()
export class AccessSnapshots {
  constructor(private readonly topics: Topics) {}

  /** @throws what reading access throws */
  async of(topics: readonly Topic[]): Promise<AccessSnapshot> {
    const byRoom = new Map(topics.map((topic) => [roomOf(topic), topic]));
    const access = [...byRoom].map(async ([room, topic]) => [room, remembered(await this.topics.kindOf(topic).access(topic.id))] as const);
    return new AccessSnapshot(new Map(await Promise.all(access)));
  }

  /** For everything that some steps send. */
  for(steps: readonly BuiltStep[], ...more: readonly Topic[]): Promise<AccessSnapshot> {
    const needed = steps.flatMap((step) =>
      step.kind !== 'built' || step.tellsOfLoss === true ? [] : [...step.topics, ...(step.subject ? [step.subject] : [])],
    );
    return this.of([...needed, ...more]);
  }
}

/** A room holds many sockets, and a person several: each is decided once. */
function remembered(mayHear: MayHear): MayHear {
  const known = new Map<Uid, boolean>();
  return (uid) => {
    const answer = known.get(uid) ?? mayHear(uid);
    known.set(uid, answer);
    return answer;
  };
}
