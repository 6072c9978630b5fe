import type { Id, Instant, Position } from '../shared/ids.js';
import type { PersonView, UserInfo } from '../users/user.view.js';
import type { VersionView } from '../versions/version.view.js';

/** A person with what the caller's session adds. */
export interface ConnectionView extends PersonView {
  /** Whether they are one of the caller's connections. False without a session. */
  readonly following: boolean;
}

/** A person as their page shows them. */
export interface ProfileView extends ConnectionView {
  readonly info: UserInfo;
  /** The path of the cover picture, or null. */
  readonly coverPhoto: string | null;
  readonly dateAdded: Instant;
  /** Search engines must not list the page. */
  readonly noindex: boolean;
}

/** A project as a profile shows it. */
export interface ProfileProject {
  readonly _id: Id;
  readonly projectName: string;
  readonly owner: PersonView;
  readonly currentVersion: Pick<VersionView, '_id' | 'majorUpdate' | 'minorUpdate' | 'tinySummary' | 'duration'> | null;
  /** Null without a session, and until the peaks are computed. */
  readonly peaksUrl: string | null;
  readonly dateModified: Instant;
  readonly position: Position;
}

/** GET /api/users/fetchProfilePageUserData */
export interface ProfilePageAnswer {
  readonly user: ProfileView;
  /** The newest change first. */
  readonly projects: readonly ProfileProject[];
  readonly connections: readonly ConnectionView[];
}

/** GET /api/users/{id}/fetchUserConnections: by name. */
export interface ConnectionsAnswer {
  readonly connections: readonly ConnectionView[];
}
