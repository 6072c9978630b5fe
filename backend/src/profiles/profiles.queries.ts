import { Injectable } from '@nestjs/common';
import type { ConnectionsAnswer, ConnectionView, ProfilePageAnswer, ProfileProject, ProfileView } from '@roughmix/contracts/profiles/profile.view.js';
import { slugIn } from '@roughmix/contracts/profiles/profile.paths.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';
import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { Refused } from '../kernel/refusal.js';
import type { Caller } from '../platform/http/caller.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { isProfileShownTo, personView, type StoredUser, UsersQueries } from '../users/users.queries.js';
import { VersionsQueries } from '../versions/versions.queries.js';
import { ConnectionsQueries } from './connections.queries.js';

/** Profiles as a caller sees them; null without a session. The guest sees public projects only, and no connections. */
@Injectable()
export class ProfilesQueries {
  constructor(
    private readonly users: UsersQueries,
    private readonly connections: ConnectionsQueries,
    private readonly access: ProjectAccessQueries,
    private readonly versions: VersionsQueries,
  ) {}

  /**
   * @param href '/@slug' in any case, a former one that they chose included, or '/home' for the caller's own
   * @throws Refused `request.invalid` for any other, `auth.required` for '/home' without a session, `user.not-found` as {@link page}
   */
  async pageAt(href: unknown, caller: Caller | null): Promise<ProfilePageAnswer> {
    if (href === '/home' && caller === null) throw new Refused('auth.required');
    const slug = typeof href === 'string' ? slugIn(href) : null;
    if (href !== '/home' && slug === null) throw new Refused('request.invalid', { field: 'href' });
    const uid = slug === null ? caller?.uid : (await this.users.bySlug(slug))?.uid;
    if (uid === undefined) throw new Refused('user.not-found');
    return this.page(uid, caller);
  }

  /** @throws Refused `user.not-found` for the guest, an erased user, an unknown uid, and others' profiles that are not complete yet */
  async page(uid: Uid, caller: Caller | null): Promise<ProfilePageAnswer> {
    const user = await this.viewOf(await this.users.one(uid), caller);
    if (user === null) throw new Refused('user.not-found');
    const [projects, connections] = await Promise.all([this.projects(uid, caller), this.connectionsOf(uid, caller)]);
    return { user, projects, connections };
  }

  /** A profile as visitors without a session see it; null if they see none at this slug. */
  async visible(slug: string): Promise<ProfileView | null> {
    return this.viewOf(await this.users.bySlug(slug), null);
  }

  /** The caller's own connections are the people whom they may invite, so those who block the caller are left out. @throws Refused `user.not-found` as {@link page} */
  async connectionsAnswer(uid: Uid, caller: Caller | null): Promise<ConnectionsAnswer> {
    const user = await this.users.one(uid);
    if (user === null || !isProfileShownTo(caller?.uid ?? null, user)) throw new Refused('user.not-found');
    const connections = await this.connectionsOf(uid, caller);
    return { connections: uid === caller?.uid ? await this.users.notBlocking(uid, connections) : connections };
  }

  private async viewOf(user: StoredUser | null, caller: Caller | null): Promise<ProfileView | null> {
    if (user === null || !isProfileShownTo(caller?.uid ?? null, user)) return null;
    const [profile, own] = await Promise.all([this.users.profile(user.uid), this.ownUids(caller)]);
    if (profile === null) return null;
    const { info, settings, cover } = profile;
    const coverPhoto = cover === null ? null : USER_PATHS.image(user.uid, cover.file);
    return { ...personView(user), info, coverPhoto, dateAdded: user.dateAdded, following: own.has(user.uid), noindex: settings.profile.noindex };
  }

  /** Connections say who works with whom: anybody can get a session of the guest, so it sees none either. */
  private async connectionsOf(uid: Uid, caller: Caller | null): Promise<readonly ConnectionView[]> {
    if (caller === null || caller.isGuest) return [];
    const [{ uids }, own] = await Promise.all([this.connections.of(uid), this.ownUids(caller)]);
    const people = await this.users.byName(caller.uid === uid ? uids : await this.shownTo(caller.uid, uid, uids));
    return people.slice(0, LIMITS.shownConnections).map((person) => ({ ...person, following: own.has(person.uid) }));
  }

  /** Those of a user's connections that someone else may see. People who hide show theirs, from either end, to their own connections only. */
  private async shownTo(viewer: Uid, uid: Uid, uids: readonly Uid[]): Promise<readonly Uid[]> {
    const hiding = await this.users.hiding([uid, ...uids]);
    const known = await this.connections.having(viewer, hiding);
    const isShown = (other: Uid): boolean => other === viewer || known.has(other) || !hiding.includes(other);
    return isShown(uid) ? uids.filter(isShown) : [];
  }

  private async ownUids(caller: Caller | null): Promise<ReadonlySet<Uid>> {
    return new Set(caller === null ? [] : (await this.connections.of(caller.uid)).uids);
  }

  private async projects(uid: Uid, caller: Caller | null): Promise<readonly ProfileProject[]> {
    const shown = (await this.access.onProfile(uid, caller?.uid ?? null)).slice(0, LIMITS.profileProjects);
    const [versions, people] = await Promise.all([
      this.versions.views(shown.flatMap(({ project }) => project.versionIds.at(-1) ?? [])),
      this.users.people(shown.map(({ project }) => project.ownerUid)),
    ]);
    const current = new Map(versions.map((version) => [version.projectId, version]));
    return shown.map(({ project: { projectId, projectName, ownerUid }, dateModified, position }) => {
      const version = current.get(projectId);
      return {
        _id: projectId,
        projectName,
        owner: people(ownerUid),
        currentVersion: version === undefined ? null : currentVersion(version),
        peaksUrl: caller === null ? null : (version?.peaksUrl ?? null),
        dateModified,
        position,
      };
    });
  }
}

const currentVersion = ({ _id, majorUpdate, minorUpdate, tinySummary, duration }: VersionView): ProfileProject['currentVersion'] => ({
  _id,
  majorUpdate,
  minorUpdate,
  tinySummary,
  duration,
});
