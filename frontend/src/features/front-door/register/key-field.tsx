import { useEffect, useRef } from 'react';
import { TextField } from '../../../shared/ui/text-field';
import type { AdminKey } from './use-admin-key';

/** The secret key, for every call of the page. */
export function KeyField({ adminKey: { value, error, calls, change } }: { readonly adminKey: AdminKey }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (calls > 0) input.current?.focus();
  }, [calls]);
  return (
    <TextField
      ref={input}
      label="Secret key"
      type="password"
      autoComplete="off"
      required
      size="l"
      value={value}
      onChange={change}
      error={error}
      hint="Adding, removing and accepting ask for it each time. It is not stored."
    />
  );
}
