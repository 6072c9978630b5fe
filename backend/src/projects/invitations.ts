import { Injectable } from '@nestjs/common';
import { accessNumber } from '@roughmix/contracts/projects/project.access.js';
import type { PermissionDiff } from '@roughmix/contracts/projects/project.api.js';
import type { Invited } from '@roughmix/contracts/projects/project.events.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { parseInvited } from '@roughmix/contracts/projects/project.view.js';
import { Refused } from '../kernel/refusal.js';
import { BlocksQueries } from '../blocks/blocks.queries.js';
import { UsersQueries } from '../users/users.queries.js';
import type { MemberChange } from './member.decider.js';

/** People whom someone wants to invite. */
export interface WantedInvitation {
  readonly invited: readonly Invited[];
  /** Those of them who block the inviting user: they are left out, and nobody learns why. */
  readonly blockers: readonly Uid[];
}

/** Parses invitations from requests and checks that every invited user exists. */
@Injectable()
export class Invitations {
  constructor(
    private readonly users: UsersQueries,
    private readonly blocks: BlocksQueries,
  ) {}

  /** @throws Refused `invite.unknown-user` for an unknown uid, the guest or a level outside 0 to 3; then no user is invited */
  async read(inviterUid: Uid, entries: readonly string[], writeAccess: boolean): Promise<WantedInvitation> {
    const invited = entries.map((entry): Invited => {
      const parsed = parseInvited(entry);
      if (parsed === null) throw new Refused('invite.unknown-user');
      return { uid: parsed.uid, access: writeAccess ? 3 : parsed.level, write: writeAccess };
    });
    const known = await this.users.invitable(invited.map(({ uid }) => uid));
    if (invited.some(({ uid }) => !known.has(uid))) throw new Refused('invite.unknown-user');
    return { invited, blockers: await this.blocks.blockersAmong([...known], inviterUid) };
  }
}

/** A permission diff as the decider expects it: write access sets the level to 3. */
export const memberChange = ({ uid, permissions, write, removed }: PermissionDiff): MemberChange => ({
  uid,
  to: removed === true ? 'removed' : { access: write ? 3 : accessNumber(permissions), write },
});
