import type { Frame, Model } from '../protocol';

/** A part of the page that shows something of the session. */
export interface Panel {
  readonly root: HTMLElement;
  model?(model: Model): void;
  frame?(frame: Frame): void;
}

/** Sends a command to the session. */
export type Send = (line: string) => void;
