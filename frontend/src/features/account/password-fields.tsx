import { AccountField } from './account-field';
import type { FormProblem } from './form-problem';
import type { PasswordDraft } from './settings-rules';
import styles from './settings.module.css';

interface PasswordFieldsProps {
  readonly password: PasswordDraft;
  readonly onChange: (field: keyof PasswordDraft, value: string) => void;
  readonly problem: FormProblem | null;
  readonly email: string;
}

/** A new password, which needs the current one. */
export function PasswordFields({ password, onChange, problem, email }: PasswordFieldsProps) {
  const field = (name: keyof PasswordDraft) => ({
    name,
    value: password[name],
    onChange: (value: string) => onChange(name, value),
    type: 'password',
    problem,
  });
  const isLocked = password.currentPassword === '';
  return (
    <section className={styles.section} aria-label="Password">
      <h3 className="h-panel">Password</h3>
      {/* So that a password manager knows whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <div className={styles.three}>
        <AccountField {...field('currentPassword')} label="Current Password" autoComplete="current-password" />
        <AccountField {...field('newPassword')} label="New Password" autoComplete="new-password" isDisabled={isLocked} />
        <AccountField {...field('confirmPassword')} label="Confirm Password" autoComplete="new-password" isDisabled={isLocked} />
      </div>
      <p className="hint">A new password signs you out everywhere else.</p>
    </section>
  );
}
