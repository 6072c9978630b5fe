import { type CSSProperties, useId } from 'react';
import './slider.css';

export interface SliderProps {
  readonly label: string;
  /** Hides the label and the value beside it. */
  readonly hidesLabel?: boolean;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The value that changes nothing: marked on the track, taken by a double click on the row. */
  readonly rest?: number;
  /** Formats the value, for the eye and for screen readers. */
  readonly format?: (value: number) => string;
  /** Formats it for screen readers where that differs. */
  readonly spoken?: (value: number) => string;
  readonly describedBy?: string;
  readonly isDisabled?: boolean;
}

/** A value in a range; arrow keys move a step, Page keys ten, Home and End to the ends. */
export function Slider({ label, hidesLabel, value, onChange, min, max, step, rest, format = String, spoken = format, describedBy, isDisabled }: SliderProps) {
  const id = useId();
  const place = rest === undefined ? undefined : ({ '--rest': (rest - min) / (max - min) } as CSSProperties);
  return (
    <div className="slider-row" onDoubleClick={() => rest !== undefined && onChange(rest)}>
      <label htmlFor={id} className={hidesLabel ? 'sr' : 'name'}>
        {label}
      </label>
      <span className="slider">
        {place && <span className="rest" style={place} />}
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={step}
          value={value}
          disabled={isDisabled}
          aria-valuetext={spoken(value)}
          aria-describedby={describedBy}
          onChange={(event) => onChange(event.target.valueAsNumber)}
        />
      </span>
      {!hidesLabel && <output htmlFor={id}>{format(value)}</output>}
    </div>
  );
}
