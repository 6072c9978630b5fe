import type { Uid } from '../shared/ids.js';
import { isMember, type Viewer } from '../projects/project.access.js';

/** What the rules need to know of a version. `initialLogin`: it came with the tutorial project. */
export interface VersionForAccess {
  readonly uploaderUid: Uid;
  readonly initialLogin: boolean;
}

/** The owner may remove any version, uploaders their own while they are members, and collaborators those that came with the tutorial. */
export const mayRemoveVersion = (who: Viewer, { uploaderUid, initialLogin }: VersionForAccess): boolean =>
  who.may.owner || (isMember(who) && uploaderUid === who.uid) || (who.may.write && initialLogin);

/** Replacing a rejected version needs the right to remove it and the right to add versions. */
export const mayReplaceVersion = (who: Viewer, version: VersionForAccess): boolean => who.may.write && mayRemoveVersion(who, version);
