import { Component, type ComponentType, lazy, type ReactNode, useState } from 'react';
import { isCodeMissing, reloadForNewerBuild } from '../api/newer-build';
import { Button } from './button';
import { ErrorState } from './error-state';
import styles from './part.module.css';

interface BoundaryProps {
  readonly children: ReactNode;
  readonly failed: (error: unknown, reset: () => void) => ReactNode;
}

/** Shows `failed` in place of children that threw. */
class Boundary extends Component<BoundaryProps, { readonly error: unknown; readonly hasFailed: boolean }> {
  override readonly state = { error: null, hasFailed: false };

  static getDerivedStateFromError(error: unknown) {
    return { error, hasFailed: true };
  }

  private readonly reset = () => this.setState({ error: null, hasFailed: false });

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.failed(this.state.error, this.reset) : this.props.children;
  }
}

const messageFor = (error: unknown): string =>
  isCodeMissing(error) ? 'This part of the page could not be loaded. Are you offline?' : 'This part of the page failed.';

/** A panel of a page: when it fails, it says so in its place, and the rest of the page keeps working. */
export const Panel = ({ children }: { readonly children: ReactNode }) => (
  <Boundary failed={(error, reset) => <ErrorState onRetry={reset}>{messageFor(error)}</ErrorState>}>{children}</Boundary>
);

/** How a part that opens over the page is closed. */
export interface Over<Props> {
  readonly isOpen: (props: Props) => boolean;
  readonly close: (props: Props) => void;
}

interface FailedProps {
  readonly error: unknown;
  /** Resolves once it has succeeded or failed again. */
  readonly onRetry: () => Promise<void>;
  readonly onClose?: (() => void) | undefined;
}

function PartFailed({ error, onRetry, onClose }: FailedProps) {
  const [isPending, setPending] = useState(false);
  const retry = () => {
    setPending(true);
    void onRetry().finally(() => setPending(false));
  };
  const message = (
    <ErrorState onRetry={retry} isPending={isPending}>
      {messageFor(error)}
    </ErrorState>
  );
  if (onClose === undefined) return message;
  return (
    <div className={styles.over} data-react-aria-top-layer="true">
      {message}
      <Button size="s" variant="quiet" onPress={onClose}>
        Close
      </Button>
    </div>
  );
}

/**
 * A part of a page whose code is loaded when it is first rendered, as with `lazy`. Code that cannot be loaded is reported in its place, with Retry. If a
 * newer build has replaced it, Retry reloads the page.
 * @param over for a part that opens over the page: the message stands over the page too, and can be closed
 */
export function part<Props extends object>(load: () => Promise<{ readonly default: ComponentType<Props> }>, over?: Over<Props>): ComponentType<Props> {
  let latest = lazy(load);
  return function Part(props: Props) {
    const [Loaded, setLoaded] = useState<ComponentType<Props>>(() => latest as ComponentType<Props>);
    const retry = async (reset: () => void) => {
      try {
        const loaded = await load();
        latest = lazy(() => Promise.resolve(loaded));
        setLoaded(() => latest as ComponentType<Props>);
        reset();
      } catch (error) {
        if (!isCodeMissing(error)) throw error;
        await reloadForNewerBuild();
      }
    };
    const failed = (error: unknown, reset: () => void) => {
      if (over !== undefined && !over.isOpen(props)) return null;
      return <PartFailed error={error} onRetry={() => retry(reset)} onClose={over && (() => over.close(props))} />;
    };
    return (
      <Boundary failed={failed}>
        <Loaded {...props} />
      </Boundary>
    );
  };
}

/** For dialogs that exist only while they are open. */
export const DIALOG: Over<{ readonly onClose: () => void }> = { isOpen: () => true, close: ({ onClose }) => onClose() };
