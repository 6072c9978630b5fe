import { useState } from 'react';
import { isProblem } from '../../../shared/api/api-errors';

/** The secret key, as long as the register page is open: it is kept nowhere else. */
export interface AdminKey {
  readonly value: string;
  readonly error: string | undefined;
  /** How often the field asked for the focus. */
  readonly calls: number;
  /** How often the server refused a key: everything that was typed or listed with it is cleared. */
  readonly refusals: number;
  readonly change: (value: string) => void;
  /** The key for a call; null if there is none, which the field then says. */
  readonly take: () => string | null;
  /** Clears the key if an error says that it is wrong. */
  readonly checkError: (error: unknown) => void;
}

const MISSING = 'Enter the secret key first.';

export function useAdminKey(): AdminKey {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string>();
  const [refusals, setRefusals] = useState(0);
  const [calls, setCalls] = useState(0);
  const complain = (text: string) => {
    setError(text);
    setCalls((count) => count + 1);
  };
  return {
    value,
    error,
    calls,
    refusals,
    change: (text) => {
      setValue(text);
      setError(undefined);
    },
    take: () => {
      if (value !== '') return value;
      complain(MISSING);
      return null;
    },
    checkError: (thrown) => {
      if (!isProblem(thrown, 'admin.unauthorized')) return;
      setValue('');
      complain(thrown.message);
      setRefusals((count) => count + 1);
    },
  };
}
