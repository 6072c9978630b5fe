import { Button } from '../shared/ui/button';
import './page-state.css';

/** The session could not be fetched. */
export const Unreachable = ({ retry }: { readonly retry: () => void }) => (
  <main className="page-state" role="alert">
    <h1 className="wide h-page">Roughmix cannot be reached</h1>
    <p>Check your connection, then try again.</p>
    <Button onPress={retry}>Retry</Button>
  </main>
);
