import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import type { Face } from '../ui/faces';

/** A person as `Faces` shows one. */
export const faceOf = (person: PersonView): Face => ({ id: person.uid, name: fullName(person), photo: person.smallPhoto });
