import type { Viewer } from '@roughmix/contracts/projects/project.access.js';
import type { PermissionLevel } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** The viewer with the rights that the server sent; without any, a visitor. */
export function viewerOfView(permissionLevel: PermissionLevel | undefined, uid: Uid): Viewer {
  if (permissionLevel === undefined) return { uid, role: 'Visitor', access: null, may: { comment: false, download: false, write: false, owner: false } };
  const { role, access, ...may } = permissionLevel;
  return { uid, role, access, may };
}
