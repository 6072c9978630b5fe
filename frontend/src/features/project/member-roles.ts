import { type Rights, type Role, rightsOf } from '@roughmix/contracts/projects/project.access.js';
import { parseInvited, type ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { Uid } from '@roughmix/contracts/shared/ids.js';

/** A member's role and rights, from the project's permission lists. */
export function parseEntry({ userPermissions }: Pick<ProjectView, 'userPermissions'>, uid: Uid): { readonly role: Role; readonly may: Rights } {
  const names = (entry: string) => parseInvited(entry)?.uid === uid;
  if (userPermissions?.write.some(names)) return { role: 'Collaborator', may: rightsOf({ access: 3, write: true }) };
  const entry = userPermissions?.read.find(names);
  const level = entry === undefined ? 0 : (parseInvited(entry)?.level ?? 0);
  return { role: 'Viewer', may: rightsOf({ access: level, write: false }) };
}
