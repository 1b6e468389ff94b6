import type { AgentHangUp, OptOut, VoiceAgentEvent } from '@outdial/calls';
import type { CallId, ConductedSettings } from '@outdial/contracts';
import type { TurnDetector } from '../../hearing/turn-detector.ts';
import { ConversationRecord } from '../../transcript/conversation-record.ts';
import type { FromMind, MindLine, MindLink } from '../bridge.ts';
import { HINTS, type ConductedTexts } from '../conducted-texts.ts';
import { EchoGuard } from '../echo-guard.ts';
import { ModelVoice } from '../model-voice.ts';
import type { FixedLine, Phase } from '../phase.ts';
import { SpeechOver } from '../speech-over.ts';
import { TurnMetrics } from './turn-metrics.ts';
import { Waiting } from './waiting.ts';

export interface ConversationOptions {
  readonly callId: CallId;
  readonly settings: ConductedSettings;
  readonly texts: ConductedTexts;
  readonly link: MindLink;
  readonly detector: TurnDetector;
}

export interface ConversationListener {
  readonly onAgent: (event: VoiceAgentEvent) => void;
  readonly onMind: (event: FromMind) => void;
}

/** The state of one conducted call, and the steps that its rules have in common. */
export class Conversation {
  readonly settings: ConductedSettings;
  readonly texts: ConductedTexts;
  readonly detector: EchoGuard;
  readonly emit: (event: VoiceAgentEvent) => void;
  readonly line: MindLine;
  readonly record: ConversationRecord;
  readonly voice: ModelVoice;
  readonly metrics: TurnMetrics;
  readonly over = new SpeechOver();
  readonly waiting = new Waiting();
  #phase: Phase = { name: 'opening', sinceMs: 0 };
  #isFinished = false;
  #hasOptedOut = false;

  constructor(options: ConversationOptions, { onAgent, onMind }: ConversationListener) {
    this.settings = options.settings;
    this.texts = options.texts;
    this.detector = new EchoGuard(options.detector, options.settings.interruption.min_speech_ms);
    this.emit = onAgent;
    this.record = new ConversationRecord(onAgent, { awaitsWords: true });
    this.metrics = new TurnMetrics(onAgent);
    this.line = options.link.attach(options.callId, onMind);
    this.voice = new ModelVoice({
      record: this.record,
      send: (message) => this.line.send(message),
      emit: onAgent,
    });
  }

  get phase(): Phase {
    return this.#phase;
  }

  enter(phase: Phase): void {
    this.#phase = phase;
  }

  get nowMs(): number {
    return this.detector.nowMs();
  }

  /** The call is over: only the record still grows, by the last words of the callee. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** The callee wants no more calls: whatever ends the call now, that is why. */
  get hasOptedOut(): boolean {
    return this.#hasOptedOut;
  }

  /** Reported once, and at once: what the callee hears of it comes later. */
  optOut(optOut: OptOut): void {
    if (this.#hasOptedOut) return;
    this.#hasOptedOut = true;
    this.emit({ kind: 'opt_out', ...optOut });
  }

  finish(): void {
    this.#isFinished = true;
  }

  /** Asks for the first words, unless the callee is to begin. */
  askOpening(): void {
    const { opening } = this.texts;
    if (this.settings.first_speaker === 'callee') return;
    const isStatic = this.settings.first_message_mode === 'static' && opening !== null;
    const hint = opening === null ? HINTS.opening : HINTS.openingLike(opening);
    this.voice.ask({ purpose: 'opening', text: isStatic ? opening : null }, hint);
  }

  askAnswer(hint: string | null): void {
    this.waiting.asked(this.nowMs);
    this.voice.ask({ purpose: 'answer', text: null }, hint);
  }

  /** Says a text to its end; what the mind was about to say is dropped. */
  sayLine(line: Exclude<FixedLine, 'failure'>, text: string | null, hint: string | null = null): void {
    this.breakOff();
    this.enter({ name: 'saying', line, sinceMs: this.nowMs });
    this.voice.ask({ purpose: line, text }, hint);
  }

  /** Drops what was not played. */
  breakOff(): void {
    this.waiting.settle(this.nowMs);
    const cut = this.voice.cut();
    if (cut !== null) this.metrics.agentSpoke(cut);
  }

  /** Ends the callee's turn where it is. */
  cutCallee(): void {
    const turn = this.detector.cut();
    if (turn !== undefined) this.record.calleeSpoke(turn);
  }

  agentSpokeLast(): boolean {
    return this.metrics.isAgentLast(this.over.lastSpeechMs);
  }

  hangUp(reason: AgentHangUp): void {
    if (this.#phase.name === 'over') return;
    this.enter({ name: 'over' });
    this.emit({ kind: 'hang_up', reason: this.#hasOptedOut ? 'opted_out' : reason });
  }
}
