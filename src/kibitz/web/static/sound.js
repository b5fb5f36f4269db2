/** Short sounds for moves, captures and ends, made here and off until they are wanted. */

const KEY = "kibitz-sound";
const TONES = { move: [[330, 0.05]], capture: [[220, 0.06], [180, 0.07]], end: [[392, 0.1], [523, 0.2], [659, 0.2]] };
let context = null;

export function soundOn() {
  return localStorage.getItem(KEY) === "on";
}

/** Switch sounds; the new state. */
export function switchSound() {
  localStorage.setItem(KEY, soundOn() ? "off" : "on");
  if (soundOn()) play("move");
  return soundOn();
}

/** Play one of the sounds, if they are on. */
export function play(name) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [pitch, seconds] of TONES[name]) {
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.18, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds * 0.8;
  }
}
