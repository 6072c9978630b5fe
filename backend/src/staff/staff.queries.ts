import { applyDecorators, type CanActivate, type ExecutionContext, Injectable, SetMetadata, UseGuards } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import type { StaffRole } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import { callerOf, type GuardedRequest } from '../platform/http/caller.js';
import { ReadModels } from '../platform/projections/read-models.js';
import { routeTarget } from '../platform/security/route-target.js';
import { SecurityLog } from '../platform/security/security-log.js';
import { STAFF_ACCOUNTS, type StaffAccountDocument } from './staff.documents.js';
import { StaffStreams } from './staff.streams.js';

const STAFF_ROLES = 'roughmix:staff-roles';

const cursorOf = ({ uid, registeredAt }: StaffAccountDocument): { id: Uid; sort: number } => ({ id: uid, sort: registeredAt });

/** Staff roles, and the accounts as staff list them. */
@Injectable()
export class StaffQueries {
  constructor(
    private readonly streams: StaffStreams,
    private readonly reads: ReadModels,
  ) {}

  /** A person's role as of now. */
  roleOf(uid: Uid): Promise<StaffRole | null> {
    return this.streams.roleOf(uid);
  }

  /** Every account, the newest first: all that other lists show already. */
  accounts(): Promise<readonly StaffAccountDocument[]> {
    return this.reads.caughtUp(() => this.readAccounts());
  }

  private async readAccounts(): Promise<readonly StaffAccountDocument[]> {
    const accounts: StaffAccountDocument[] = [];
    for await (const account of this.reads.findAll(STAFF_ACCOUNTS, { field: 'kind', value: 'account' }, cursorOf)) accounts.push(account);
    return accounts.toReversed();
  }
}

/** Admits people with one of the roles that {@link StaffOnly} names. */
@Injectable()
export class StaffGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly staff: StaffQueries,
    private readonly security: SecurityLog,
  ) {}

  /** @throws Refused `staff.required`; `auth.required` without a session */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<GuardedRequest>();
    const { uid, isGuest } = callerOf(request);
    const roles = this.reflector.getAllAndOverride<readonly StaffRole[]>(STAFF_ROLES, [context.getHandler(), context.getClass()]);
    const role = isGuest ? null : await this.staff.roleOf(uid);
    if (role === null || !roles.includes(role)) throw new Refused('staff.required');
    this.security.record('admin.called', { target: routeTarget(request) });
    return true;
  }
}

/** For controllers, or their methods, that need a session with one of these roles. */
export const StaffOnly = (...roles: readonly StaffRole[]): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(STAFF_ROLES, roles), UseGuards(StaffGuard));
