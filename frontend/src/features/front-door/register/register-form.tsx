import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import { api } from '../../../shared/api/client';
import { RegistrationForm } from './registration-form';
import type { AdminKey } from './use-admin-key';

/** Adds a user with the secret key; a wrong key is said at its own field. */
export const RegisterForm = ({ adminKey }: { readonly adminKey: AdminKey }) => (
  <RegistrationForm
    label="Register User"
    register={async (body) => (await api.send<UserAddedAnswer>('POST', USER_PATHS.addUser(adminKey.value), body, { retries: 0 })).answer.message}
    mayStart={() => adminKey.take() !== null}
    shownElsewhere="admin.unauthorized"
    onError={adminKey.checkError}
  />
);
