import { fullName, type PersonView } from '@roughmix/contracts/users/user.view.js';
import type { Face } from '../ui/faces';

/** Converts a person for `Faces`. */
export const faceOf = (person: PersonView): Face => ({ id: person.uid, name: fullName(person), photo: person.smallPhoto });
