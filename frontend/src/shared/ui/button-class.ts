import './button.css';
import { classNames } from './class-names';

export type ButtonVariant = 'primary' | 'default' | 'outline' | 'quiet' | 'danger' | 'danger-quiet';

export interface ButtonLook {
  readonly variant?: ButtonVariant;
  /** 28, 34 or 44 px high; under 768 px wide the default is 44 too. */
  readonly size?: 's' | 'm' | 'l';
  readonly isWide?: boolean;
  readonly className?: string;
}

/** The look of a button for what is not one, such as a router's link. */
export const buttonClass = ({ variant = 'default', size = 'm', isWide, className }: ButtonLook = {}): string =>
  classNames('btn', variant !== 'default' && (variant === 'outline' ? 'line' : variant), size !== 'm' && size, isWide && 'wide-btn', className);
