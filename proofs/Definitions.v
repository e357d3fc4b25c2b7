(** What a requirement means, and what a formula means.

    Everything that a reader must agree with is in this file: traces, the
    formulas that are printed, and the definitions of intervals, triggers and
    timings. All other files are proofs about it. The names in brackets are
    those of the definitions of Conrad et al., CPP 2022.

    Differences from that paper: there are traces without end; a scope without
    an interval makes a requirement true (Definition 4.9 says the opposite); a
    stop that holds at the trigger is the first stop (Definition 4.7 asks for a
    later rising edge, its formulas do not); "whenever" and "finally" are new. *)

From Coq Require Import Arith.

(** * Traces *)

(** The propositions of a template. [LAST] is the mark that the formulas for
    finite traces inside infinite ones use. *)
Inductive atom := MODE | COND | STOP | RES | LAST.

(** A position is at most the end, if there is an end. *)
Definition upto (hi : option nat) (i : nat) : Prop :=
  match hi with Some h => i <= h | None => True end.

(** A trace has the positions 0, 1, 2, ...: up to a last one, or without end.
    At each position each proposition holds or does not. *)
Record trace := Trace { last : option nat; at_position : nat -> atom -> Prop }.

Definition inside (tr : trace) (i : nat) : Prop := upto (last tr) i.

(** * Formulas *)

(** A bound is a number, or a number plus the variable [m]: formulas with a
    duration n are printed with n = m + 2, say, so one formula with
    [M 2] stands for all durations from 2 on. *)
Inductive num := K (c : nat) | M (c : nat).

Definition val (m : nat) (x : num) : nat :=
  match x with K c => c | M c => m + c end.

(** A window [lo,hi], counted in steps from here; no [hi] means unbounded. *)
Record bound := Bound { low : num; high : option num }.

Definition window (m : nat) (b : bound) (k : nat) : Prop :=
  val m (low b) <= k /\ match high b with Some h => k <= val m h | None => True end.

(** Metric temporal logic with past and future. Strong next is [F[1,1]], weak
    next [G[1,1]], yesterday [O[1,1]] and [H[1,1]], as in the program. *)
Inductive form :=
| Top
| Bot
| Var (a : atom)
| Not (p : form)
| And (p q : form)
| Or (p q : form)
| Imp (p q : form)
| Iff (p q : form)
| Xor (p q : form)
| F_ (b : bound) (p : form)   (* finally: at some position of the future window *)
| G_ (b : bound) (p : form)   (* globally: at every position of it *)
| O_ (b : bound) (p : form)   (* once: at some position of the past window *)
| H_ (b : bound) (p : form)   (* historically: at every position of it *)
| U_ (b : bound) (p q : form) (* until *)
| R_ (b : bound) (p q : form) (* release, the dual of until *)
| S_ (b : bound) (p q : form) (* since *)
| T_ (b : bound) (p q : form) (* triggered, the dual of since *).

(** The formula holds at position i of the trace. *)
Fixpoint sem (m : nat) (tr : trace) (f : form) (i : nat) : Prop :=
  match f with
  | Top => True
  | Bot => False
  | Var a => at_position tr i a
  | Not p => ~ sem m tr p i
  | And p q => sem m tr p i /\ sem m tr q i
  | Or p q => sem m tr p i \/ sem m tr q i
  | Imp p q => sem m tr p i -> sem m tr q i
  | Iff p q => sem m tr p i <-> sem m tr q i
  | Xor p q => ~ (sem m tr p i <-> sem m tr q i)
  | F_ b p => exists k, window m b k /\ inside tr (i + k) /\ sem m tr p (i + k)
  | G_ b p => forall k, window m b k -> inside tr (i + k) -> sem m tr p (i + k)
  | O_ b p => exists k, window m b k /\ k <= i /\ sem m tr p (i - k)
  | H_ b p => forall k, window m b k -> k <= i -> sem m tr p (i - k)
  | U_ b p q => exists k, window m b k /\ inside tr (i + k) /\ sem m tr q (i + k) /\
                 forall j, j < k -> sem m tr p (i + j)
  | R_ b p q => forall k, window m b k -> inside tr (i + k) -> sem m tr q (i + k) \/
                 exists j, j < k /\ sem m tr p (i + j)
  | S_ b p q => exists k, window m b k /\ k <= i /\ sem m tr q (i - k) /\
                 forall j, j < k -> sem m tr p (i - j)
  | T_ b p q => forall k, window m b k -> k <= i -> sem m tr q (i - k) \/
                 exists j, j < k /\ sem m tr p (i - j)
  end.

(** * Scopes [Definition 4.5] *)

Inductive scope := Null | In | NotIn | Before | After | OnlyIn | OnlyBefore | OnlyAfter.

(** [lo, hi] is a maximal run of positions with the property
    [Definition 4.2]. *)
Definition run (tr : trace) (P : nat -> Prop) (lo : nat) (hi : option nat) : Prop :=
  inside tr lo /\ upto hi lo /\
  (forall i, lo <= i -> upto hi i -> P i) /\
  (lo = 0 \/ ~ P (lo - 1)) /\
  match hi with
  | Some h => last tr = Some h \/ inside tr (h + 1) /\ ~ P (h + 1)
  | None => last tr = None
  end.

(** The first position with the property. *)
Definition first (tr : trace) (P : nat -> Prop) (i : nat) : Prop :=
  inside tr i /\ P i /\ forall j, j < i -> ~ P j.

Definition never (tr : trace) (P : nat -> Prop) : Prop :=
  forall i, inside tr i -> ~ P i.

(** [lo, hi] is an interval of the scope. *)
Definition interval (tr : trace) (s : scope) (lo : nat) (hi : option nat) : Prop :=
  let mode i := at_position tr i MODE in
  match s with
  | Null => lo = 0 /\ hi = last tr
  | In => run tr mode lo hi
  | NotIn | OnlyIn => run tr (fun i => ~ mode i) lo hi
  | Before => (* up to the first mode point; all of the trace if there is none *)
      lo = 0 /\
      ((exists i, first tr mode (i + 1) /\ hi = Some i) \/ never tr mode /\ hi = last tr)
  | After => (* after the first mode run *)
      exists a b, first tr mode a /\ run tr mode a (Some b) /\
        lo = b + 1 /\ inside tr lo /\ hi = last tr
  | OnlyBefore => (* from the first mode point *)
      first tr mode lo /\ hi = last tr
  | OnlyAfter => (* up to the end of the first mode run; all of the trace if there is none *)
      lo = 0 /\
      ((exists a, first tr mode a /\ run tr mode a hi) \/ never tr mode /\ hi = last tr)
  end.

(** In these scopes each trigger must meet the denial of the timing. *)
Definition denies (s : scope) : bool :=
  match s with
  | OnlyIn | OnlyBefore | OnlyAfter => true
  | Null | In | NotIn | Before | After => false
  end.

(** * Triggers [Definition 4.6] *)

Inductive condition := NoCondition | Regular | Holding.

(** t is a trigger in the interval [lo, hi]. *)
Definition trigger (tr : trace) (c : condition) (lo : nat) (hi : option nat) (t : nat) : Prop :=
  let cond i := at_position tr i COND in
  lo <= t /\ upto hi t /\
  match c with
  | NoCondition => t = lo
  | Holding => cond t
  | Regular => cond t /\ (t = lo \/ ~ cond (t - 1))
  end.

(** * Timings [Definitions 4.7, 4.8] *)

Inductive timing :=
| Immediately | Next | Finally | Always | Never | Eventually
| Within (n : num) | For (n : num) | AfterSteps (n : num) | Until | BeforeStop.

(** Position i is in [t, hi]. *)
Definition ahead (t : nat) (hi : option nat) (i : nat) : Prop := t <= i /\ upto hi i.

(** s is the first stop point of [t, hi]. *)
Definition first_stop (tr : trace) (t : nat) (hi : option nat) (s : nat) : Prop :=
  ahead t hi s /\ at_position tr s STOP /\
  forall i, t <= i < s -> ~ at_position tr i STOP.

Definition no_stop (tr : trace) (t : nat) (hi : option nat) : Prop :=
  forall i, ahead t hi i -> ~ at_position tr i STOP.

(** The timing is met from trigger t in an interval that ends at hi. *)
Definition met (m : nat) (tr : trace) (w : timing) (res : nat -> Prop)
    (t : nat) (hi : option nat) : Prop :=
  match w with
  | Immediately => res t
  | Next => ~ upto hi (t + 1) \/ res (t + 1)
  | Finally => match hi with Some h => res h | None => True end
  | Always => forall i, ahead t hi i -> res i
  | Never => forall i, ahead t hi i -> ~ res i
  | Eventually => exists i, ahead t hi i /\ res i
  | Within n => ~ upto hi (t + val m n) \/ exists i, t <= i <= t + val m n /\ res i
  | For n => forall i, ahead t hi i -> i <= t + val m n -> res i
  | AfterSteps n =>
      (forall i, ahead t hi i -> i <= t + val m n -> ~ res i) /\
      (~ upto hi (t + val m n + 1) \/ res (t + val m n + 1))
  | Until =>
      (exists s, first_stop tr t hi s /\ forall i, t <= i < s -> res i) \/
      no_stop tr t hi /\ forall i, ahead t hi i -> res i
  | BeforeStop =>
      no_stop tr t hi \/
      exists s, first_stop tr t hi s /\ exists i, t <= i < s /\ res i
  end.

(** The denial of the timing is met: it is as lenient about the end of an
    interval as the timing itself. *)
Definition denied (m : nat) (tr : trace) (w : timing) (res : nat -> Prop)
    (t : nat) (hi : option nat) : Prop :=
  let absent i := ~ res i in
  match w with
  | Immediately => met m tr Immediately absent t hi
  | Next => met m tr Next absent t hi
  | Finally => met m tr Finally absent t hi
  | Always => met m tr Eventually absent t hi
  | Never => met m tr Eventually res t hi
  | Eventually => met m tr Always absent t hi
  | Within n => met m tr (For n) absent t hi
  | For n => met m tr (Within n) absent t hi
  | AfterSteps n =>
      ~ upto hi (t + val m n + 1) \/
      (exists i, t <= i <= t + val m n /\ res i) \/ ~ res (t + val m n + 1)
  | Until => met m tr BeforeStop absent t hi
  | BeforeStop => met m tr Until absent t hi
  end.

(** * Requirements [Definition 4.9] *)

(** The requirement of a template holds on the trace: every trigger of every
    interval meets the timing. *)
Definition holds (m : nat) (s : scope) (c : condition) (w : timing) (tr : trace) : Prop :=
  let res i := at_position tr i RES in
  forall lo hi t, interval tr s lo hi -> trigger tr c lo hi t ->
    if denies s then denied m tr w res t hi else met m tr w res t hi.

(** * Temporal predicates *)

(** A predicate about RES and STOP in the place of the response: "persisted
    from far to near steps ago", "at the last earlier RES there was STOP",
    "RES a step ago, or STOP at the start", and so on. *)
Inductive predicate :=
| Persisted (near far : num) | Occurred (near far : num) | PrevOcc | PreBool | FirstPoint
| Persists (near far : num) | Occurs (near far : num) | NextOcc.

(** The predicate holds at position i of the interval [lo, hi]. What is
    outside the interval does not count, but for [PreBool] and [FirstPoint]. *)
Definition said (m : nat) (tr : trace) (p : predicate) (lo : nat) (hi : option nat) (i : nat) : Prop :=
  let res j := at_position tr j RES in
  let other j := at_position tr j STOP in
  match p with
  | Persisted near far => lo + val m far <= i /\ forall j, i <= j + val m far -> j + val m near <= i -> res j
  | Occurred near far => exists j, lo <= j /\ i <= j + val m far /\ j + val m near <= i /\ res j
  | PrevOcc => forall j, lo <= j < i -> res j -> (forall k, j < k < i -> ~ res k) -> other j
  | PreBool => i = 0 /\ other i \/ 1 <= i /\ res (i - 1)
  | FirstPoint => i = 0
  | Persists near far => upto hi (i + val m far) /\ forall j, i + val m near <= j <= i + val m far -> res j
  | Occurs near far => exists j, upto hi j /\ i + val m near <= j <= i + val m far /\ res j
  | NextOcc => forall j, i < j -> upto hi j -> res j -> (forall k, i < k < j -> ~ res k) -> other j
  end.

(** The requirement of a template with the predicate as its response. *)
Definition holds_with (p : predicate) (m : nat) (s : scope) (c : condition) (w : timing) (tr : trace) : Prop :=
  forall lo hi t, interval tr s lo hi -> trigger tr c lo hi t ->
    let res := said m tr p lo hi in
    if denies s then denied m tr w res t hi else met m tr w res t hi.

(** * What is proved *)

(** The past formula is evaluated at the last position of a finite trace. *)
Definition past_agrees (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i n, let tr := Trace (Some n) at_i in
    sem m tr f n <-> holds m s c w tr.

(** A future formula for finite traces is evaluated at the first position. *)
Definition finite_agrees (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i n, let tr := Trace (Some n) at_i in
    sem m tr f 0 <-> holds m s c w tr.

(** One with LAST is evaluated on an infinite trace, and is about the part up
    to the first position with LAST. What comes later does not matter. *)
Definition marked_agrees (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall (at_i : nat -> atom -> Prop) n, at_i n LAST -> (forall i, i < n -> ~ at_i i LAST) ->
    (sem m (Trace None at_i) f 0 <-> holds m s c w (Trace (Some n) at_i)).

(** One for infinite traces is about all of the trace. *)
Definition infinite_agrees (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i, let tr := Trace None at_i in
    sem m tr f 0 <-> holds m s c w tr.

(** The same with a predicate as the response. *)
Definition past_agrees_with (p : predicate) (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i n, let tr := Trace (Some n) at_i in
    sem m tr f n <-> holds_with p m s c w tr.

Definition finite_agrees_with (p : predicate) (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i n, let tr := Trace (Some n) at_i in
    sem m tr f 0 <-> holds_with p m s c w tr.

Definition marked_agrees_with (p : predicate) (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall (at_i : nat -> atom -> Prop) n, at_i n LAST -> (forall i, i < n -> ~ at_i i LAST) ->
    (sem m (Trace None at_i) f 0 <-> holds_with p m s c w (Trace (Some n) at_i)).

Definition infinite_agrees_with (p : predicate) (m : nat) (s : scope) (c : condition) (w : timing) (f : form) : Prop :=
  forall at_i, let tr := Trace None at_i in
    sem m tr f 0 <-> holds_with p m s c w tr.
