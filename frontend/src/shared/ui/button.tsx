import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import { type ButtonLook, buttonClass } from './button-class';
import { Icon } from './icon';

type NativeButton = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'onClick' | 'className'>;

export interface ButtonProps extends NativeButton, ButtonLook {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly icon?: LucideIcon;
  /** Waiting for a response: shows a spinner, keeps the focus, cannot be pressed. */
  readonly isPending?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress?: () => void;
}

/** A button with a label. One primary button per view; a destructive action is emphasised only in its dialog. */
export function Button({ variant, size, isWide, className, icon, isPending, isDisabled, onPress, children, type = 'button', ...rest }: ButtonProps) {
  const press = (event: MouseEvent) => {
    if (isPending) event.preventDefault();
    else onPress?.();
  };
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({ variant, size, isWide, className })}
      disabled={isDisabled}
      aria-disabled={isPending || rest['aria-disabled']}
      aria-busy={isPending || undefined}
      onClick={press}
    >
      {isPending ? <Icon of={LoaderCircle} className="spins" size={size === 's' ? 14 : 16} /> : icon && <Icon of={icon} size={size === 's' ? 14 : 16} />}
      {children}
    </button>
  );
}
