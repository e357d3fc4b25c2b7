(** What is proved of the printed formulas of a template: for every duration,
    each of the formulas says what the definition says. *)

From Coq Require Import Arith Lia List Bool.
From Shall Require Import Definitions Runs Operators Ways Steps Past Future.
Import ListNotations.

(** Formulas for all durations: those of the durations 0, 1, ... and one for
    all durations from some number on. *)
Definition cases := list (num * form).

Fixpoint covers (from : nat) (l : cases) : bool :=
  match l with
  | [] => false
  | [(M c, _)] => c =? from
  | (K c, _) :: l => (c =? from) && covers (from + 1) l
  | _ => false
  end.

Lemma covers_all l : forall from, covers from l = true ->
  forall n, from <= n -> exists x f m, List.In (x, f) l /\ n = val m x.
Proof.
  induction l as [|[[c|c] f] l IH]; intros from Hc n Hn; [discriminate | |].
  - assert (c = from /\ covers (from + 1) l = true) as [-> Hl].
    { destruct l; simpl in Hc; apply andb_true_iff in Hc; destruct Hc as [E Hc]; apply Nat.eqb_eq in E; auto. }
    destruct (Nat.eq_dec n from) as [->|].
    + exists (K from), f, 0. split; [left; reflexivity | reflexivity].
    + destruct (IH (from + 1) Hl n) as [x [g [m [Hin E]]]]; [lia |]. exists x, g, m. split; [right; assumption | assumption].
  - destruct l; [| discriminate]. simpl in Hc. apply Nat.eqb_eq in Hc. subst.
    exists (M from), f, (n - from). split; [left; reflexivity | simpl; lia].
Qed.

(** For every duration there is a formula, and every formula agrees with the
    definition with its duration. *)
Definition proved (agrees : nat -> scope -> condition -> timing -> form -> Prop)
    (s : scope) (c : condition) (w : num -> timing) (l : cases) : Prop :=
  (forall n, exists x f m, List.In (x, f) l /\ n = val m x) /\
  forall x f m, List.In (x, f) l -> agrees m s c (w x) f.

Definition checked (ended : bool) (composed : scope -> condition -> timing -> form)
    (s : scope) (c : condition) (w : num -> timing) (l : cases) : bool :=
  covers 0 l && forallb (fun xf => equal_if ended (composed s c (w (fst xf))) (snd xf)) l.

Lemma checked_sound (agrees : nat -> scope -> condition -> timing -> form -> Prop) ended composed s c w l :
  (forall m w, agrees m s c w (composed s c w)) ->
  (forall m w f g, equiv_if ended f g -> agrees m s c w f -> agrees m s c w g) ->
  checked ended composed s c w l = true -> proved agrees s c w l.
Proof.
  intros Hcomposed Hequiv Hc. unfold checked in Hc. apply andb_true_iff in Hc. destruct Hc as [H1 H2]. split.
  - intros n. apply (covers_all l 0 H1). lia.
  - intros x f m Hin. rewrite forallb_forall in H2. apply (Hequiv m (w x) (composed s c (w x))); [| apply Hcomposed].
    apply equal_if_sound. apply (H2 (x, f) Hin).
Qed.

(** The four forms. *)
Theorem past_proved s c w l : checked true past_formula s c w l = true -> proved past_agrees s c w l.
Proof.
  apply checked_sound; [intros; apply past_formula_agrees |]. intros m x f g E Hf at_i n. cbv zeta. rewrite <- (E m _ n).
  - apply Hf.
  - reflexivity.
  - unfold inside. simpl. lia.
Qed.

Theorem finite_proved s c w l : checked true (future_formula Weak) s c w l = true -> proved finite_agrees s c w l.
Proof.
  apply checked_sound; [intros; apply finite_formula_agrees |]. intros m x f g E Hf at_i n. cbv zeta. rewrite <- (E m _ 0).
  - apply Hf.
  - reflexivity.
  - unfold inside. simpl. lia.
Qed.

Theorem marked_proved s c w l : checked false (future_formula Marked) s c w l = true -> proved marked_agrees s c w l.
Proof.
  apply checked_sound; [intros; apply marked_formula_agrees |]. intros m x f g E Hf at_i n H1 H2. rewrite <- (E m _ 0).
  - apply Hf; assumption.
  - reflexivity.
  - exact I.
Qed.

Theorem infinite_proved s c w l : checked false (future_formula Endless) s c w l = true -> proved infinite_agrees s c w l.
Proof.
  apply checked_sound; [intros; apply infinite_formula_agrees |]. intros m x f g E Hf at_i. cbv zeta. rewrite <- (E m _ 0).
  - apply Hf.
  - reflexivity.
  - exact I.
Qed.
