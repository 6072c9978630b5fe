import type { Uid } from '../shared/ids.js';
import { isMember, type Viewer } from '../projects/project.access.js';

/** The owner may remove any version; uploaders may remove their own while they are members. */
export const mayRemoveVersion = (who: Viewer, version: { readonly uploaderUid: Uid }): boolean =>
  who.may.owner || (isMember(who) && version.uploaderUid === who.uid);

/** Replacing a rejected version needs the right to remove it and the right to add versions. */
export const mayReplaceVersion = (who: Viewer, version: { readonly uploaderUid: Uid }): boolean => who.may.write && mayRemoveVersion(who, version);
