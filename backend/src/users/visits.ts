import { Inject, Injectable } from '@nestjs/common';
import type { Id, Uid } from '@roughmix/contracts/shared/ids.js';
import type { VisitAnswer } from '@roughmix/contracts/users/user.view.js';
import { Refused } from '../kernel/refusal.js';
import type { Config } from '../platform/config/config.js';
import type { Caller } from '../platform/http/caller.js';
import { isForeignOrigin, publicUrlOf } from '../platform/http/origin.js';
import { CONFIG } from '../platform/tokens.js';
import { ProjectAccessQueries } from '../projects/project-access.queries.js';
import { isProfileShownTo, UsersQueries } from './users.queries.js';

/** Served to everyone, as patterns of whole paths. */
const PUBLIC_PAGES: readonly RegExp[] = [
  /^\/$/,
  /^\/(?:login|contact|privacy|terms|terms\/projects-terms-of-service|passwordReset|rwmsl9j7-register)$/,
  /^\/(?:passwordReset|invite|unsubscribe)\/[^/]+$/,
];
/** For everyone with a session. */
const SESSION_PAGES = /^\/(?:welcome|home|projects)$/;
const PROFILE = /^\/@([^/]+)$/;
const PROJECT = /^(?:\/([^/]+))?\/projects\/([^/]+)$/;

/** Decides whether a caller may open a page of the app. */
@Injectable()
export class Visits {
  constructor(
    private readonly users: UsersQueries,
    private readonly projects: ProjectAccessQueries,
    @Inject(CONFIG) private readonly config: Pick<Config, 'PUBLIC_URL' | 'PORT'>,
  ) {}

  /** @param href a path, or a URL under PUBLIC_URL @throws Refused `request.invalid` for any other */
  async accessOf(href: string, caller: Caller | undefined): Promise<VisitAnswer['access']> {
    const path = this.pathOf(href);
    if (await this.isOpenTo(path, caller?.uid ?? null)) return 'authorized';
    return caller === undefined ? 'login' : 'denied';
  }

  /** The decoded path without a slash at its end; null if a part contains a slash or the encoding is broken, as no page has such a path. */
  private pathOf(href: string): string | null {
    const base = publicUrlOf(this.config);
    const isPath = href.startsWith('/');
    const url = (isPath || /^https?:\/\//i.test(href)) && URL.canParse(href, base) ? new URL(href, base) : null;
    if (url === null || isForeignOrigin({ origin: url.origin }, base)) throw new Refused('request.invalid', { field: 'href' });
    if (/%2f/i.test(url.pathname)) return null;
    try {
      return decodeURIComponent(url.pathname).replace(/(?<=.)\/$/, '');
    } catch {
      // A lone % or bytes that are not UTF-8.
      return null;
    }
  }

  private async isOpenTo(path: string | null, uid: Uid | null): Promise<boolean> {
    if (path === null) return false;
    if (PUBLIC_PAGES.some((page) => page.test(path))) return true;
    const slug = PROFILE.exec(path)?.[1];
    if (slug !== undefined) return this.isProfileOpenTo(uid, slug);
    if (uid === null) return false;
    const [, ownerSlug = null, projectId] = PROJECT.exec(path) ?? [];
    return projectId === undefined ? SESSION_PAGES.test(path) : this.isProjectOpenTo(uid, projectId, ownerSlug);
  }

  private async isProfileOpenTo(uid: Uid | null, slug: string): Promise<boolean> {
    const user = await this.users.bySlug(slug);
    return user !== null && isProfileShownTo(uid, user);
  }

  private async isProjectOpenTo(uid: Uid, projectId: Id, ownerSlug: string | null): Promise<boolean> {
    const seen = await this.projects.seenBy(projectId, uid);
    return seen !== null && (ownerSlug === null || (await this.users.bySlug(ownerSlug))?.uid === seen.project.ownerUid);
  }
}
