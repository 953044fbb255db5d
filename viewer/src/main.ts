// The page: a picture with panels around it, driven by the messages of a session.

import './style.css';
import { App } from './app';
import { Socket } from './transport';

const root = document.querySelector<HTMLElement>('#app')!;
if (import.meta.env.MODE === 'static') {
  void import('./static').then(({ start }) => start(root));
} else {
  new App(root, (listener) => new Socket(listener));
}
