import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { type StaffEvent, staffStream } from '@roughmix/contracts/staff/staff.events.js';
import type { StaffRole } from '@roughmix/contracts/users/user.view.js';
import { SYSTEM } from '../kernel/decider.js';
import type { Clock } from '../platform/clock.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { BoundStream } from '../platform/streams/bound-stream.js';
import { type Executed, Streams } from '../platform/streams/streams.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { CLOCK } from '../platform/tokens.js';
import { type StaffCommand, staffDecider, type StaffState } from './staff.decider.js';
import { STAFF_ACCOUNTS } from './staff.documents.js';

/** The only writer of staff roles, and their current state. */
@Injectable()
export class StaffStreams {
  private readonly bound: BoundStream<StaffState, StaffCommand, StaffEvent>;

  constructor(
    streams: Streams,
    readSide: ReadSide,
    private readonly security: SecurityLog,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {
    this.bound = new BoundStream({ decider: staffDecider, stream: staffStream, collections: [STAFF_ACCOUNTS] }, streams, readSide);
  }

  /** Gives a registered person a role, or takes it away (null). */
  async change(uid: Uid, role: StaffRole | null): Promise<Executed<StaffEvent>> {
    const commandId = randomUUID();
    const context = { actor: SYSTEM, at: this.clock(), commandId, correlationId: commandId, causationId: null };
    const executed = await this.bound.run(context, uid, { type: 'ChangeStaffRole', data: { uid, role } });
    if (executed.events.length > 0) this.security.record('role.changed', { target: uid });
    return executed;
  }

  /** A person's role as of now, because a role that was taken away must not outlive the call. */
  async roleOf(uid: Uid): Promise<StaffRole | null> {
    return (await this.bound.state(uid)).role;
  }
}
