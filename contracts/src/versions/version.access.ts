import type { Uid } from '../shared/ids.js';
import { isMember, type Viewer } from '../projects/project.access.js';

/** The owner removes any version, its uploader their own while they are in the project. */
export const mayRemoveVersion = (who: Viewer, version: { readonly uploaderUid: Uid }): boolean =>
  who.may.owner || (isMember(who) && version.uploaderUid === who.uid);

/** A refused version is replaced by who may remove it and may still add versions. */
export const mayReplaceVersion = (who: Viewer, version: { readonly uploaderUid: Uid }): boolean => who.may.write && mayRemoveVersion(who, version);
