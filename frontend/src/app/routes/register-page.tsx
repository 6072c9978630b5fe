import { useLocation } from 'react-router-dom';
import { ContactMessages } from '../../features/front-door/register/contact-messages';
import { firstAccountToken } from '../../features/front-door/register/first-account-token';
import { InviteRequests } from '../../features/front-door/register/invite-requests';
import { KeyField } from '../../features/front-door/register/key-field';
import { RegisterForm } from '../../features/front-door/register/register-form';
import { RemoveUserForm } from '../../features/front-door/register/remove-user-form';
import { RequestsByKey } from '../../features/front-door/register/requests-by-key';
import styles from '../../features/front-door/register/register.module.css';
import { useAdminKey } from '../../features/front-door/register/use-admin-key';
import { useSession } from '../../shared/session/session-provider';
import { FirstAccountPage } from './first-account-page';
import { FrontPage } from './front-page';
import { NoIndex } from './no-index';

const BY_ROLE = { by: 'role' } as const;

/** The hidden page on which accounts are made and removed, with the secret key. The link that the program prints at first makes the first account there. */
export function RegisterPage() {
  const token = firstAccountToken(useLocation().hash);
  return token === null ? <WithKey /> : <FirstAccountPage token={token} />;
}

/** A signed-in admin also sees what people sent. */
function WithKey() {
  const { staffRole } = useSession();
  const adminKey = useAdminKey();
  const lists =
    staffRole === 'admin' ? (
      <>
        <InviteRequests from={BY_ROLE} adminKey={adminKey} />
        <ContactMessages />
      </>
    ) : (
      <RequestsByKey key={adminKey.refusals} adminKey={adminKey} />
    );
  return (
    <FrontPage heading="Register User" below={<div className={styles.lists}>{lists}</div>}>
      <NoIndex />
      <div className={styles.forms}>
        <KeyField adminKey={adminKey} />
        <RegisterForm key={`add-${adminKey.refusals}`} adminKey={adminKey} />
        <hr />
        <RemoveUserForm key={`remove-${adminKey.refusals}`} adminKey={adminKey} />
      </div>
    </FrontPage>
  );
}
