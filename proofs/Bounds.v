(** The rules of simplification that compute with bounds, for all bounds: what
    [Printed_bounds.v] says about windows with numbers a, b, c, ... follows
    from these laws. Each is stated for both directions of time, and holds for
    the dual operators too. *)

From Coq Require Import Arith Lia Classical Setoid Morphisms.
From Shall Require Import Definitions Runs Operators Ways.

(** Finally or once: somewhere in the window. *)
Definition Some_ (d : direction) (b : bound) (p : form) : form := match d with Ahead => F_ b p | Back => O_ b p end.

Lemma sem_Some m tr d b p i : sem m tr (Some_ d b p) i <-> exists k, window m b k /\ there d tr i k /\ sem m tr p (step d i k).
Proof. destruct d; reflexivity. Qed.

(** * Duality *)

(** The formula with each operator replaced with its dual. *)
Fixpoint dual (f : form) : form :=
  match f with
  | Top => Bot
  | Bot => Top
  | Var a => Var a
  | Not p => Not (dual p)
  | And p q => Or (dual p) (dual q)
  | Or p q => And (dual p) (dual q)
  | Imp p q => And (Not (dual p)) (dual q)
  | Iff p q => Xor (dual p) (dual q)
  | Xor p q => Iff (dual p) (dual q)
  | F_ b p => G_ b (dual p)
  | G_ b p => F_ b (dual p)
  | O_ b p => H_ b (dual p)
  | H_ b p => O_ b (dual p)
  | U_ b p q => R_ b (dual p) (dual q)
  | R_ b p q => U_ b (dual p) (dual q)
  | S_ b p q => T_ b (dual p) (dual q)
  | T_ b p q => S_ b (dual p) (dual q)
  end.

Section Not.
Variables w t q : nat -> Prop.
Variable p : nat -> Prop.

Lemma not_window : (forall k, w k -> t k -> ~ q k) <-> ~ exists k, w k /\ t k /\ q k.
Proof. split; [intros H [k [H1 [H2 H3]]]; apply (H k); assumption | intros H k H1 H2 H3; apply H; exists k; auto]. Qed.

Lemma not_all_window : (exists k, w k /\ t k /\ ~ q k) <-> ~ forall k, w k -> t k -> q k.
Proof.
  split; [intros [k [H1 [H2 H3]]] H; auto |]. intros H. apply NNPP. intros Hn. apply H. intros k H1 H2. apply NNPP. intros H3.
  apply Hn. exists k. auto.
Qed.

Lemma not_way : (forall k, w k -> t k -> ~ q k \/ exists j, j < k /\ ~ p j) <-> ~ exists k, w k /\ t k /\ q k /\ forall j, j < k -> p j.
Proof.
  split.
  - intros H [k [H1 [H2 [H3 H4]]]]. destruct (H k H1 H2) as [|[j [Hj Hn]]]; auto.
  - intros H k H1 H2. apply NNPP. intros Hn. apply H. exists k. split; [assumption | split; [assumption | split]].
    + apply NNPP. tauto.
    + intros j Hj. apply NNPP. intros Hp. apply Hn. right. exists j. auto.
Qed.

Lemma not_all_way : (exists k, w k /\ t k /\ ~ q k /\ forall j, j < k -> ~ p j) <-> ~ forall k, w k -> t k -> q k \/ exists j, j < k /\ p j.
Proof.
  split.
  - intros [k [H1 [H2 [H3 H4]]]] H. destruct (H k H1 H2) as [|[j [Hj Hp]]]; [auto | apply (H4 j Hj Hp)].
  - intros H. apply NNPP. intros Hn. apply H. intros k H1 H2. apply NNPP. intros H3. apply Hn. exists k.
    split; [assumption | split; [assumption | split; [tauto |]]]. intros j Hj Hp. apply H3. right. exists j. auto.
Qed.
End Not.

(** It holds where the formula does not, with all propositions negated. *)
Lemma dual_is m l at_i f : forall i,
  sem m (Trace l at_i) (dual f) i <-> ~ sem m (Trace l (fun j a => ~ at_i j a)) f i.
Proof.
  induction f; intros i; cbn [dual sem].
  - tauto.
  - tauto.
  - cbn. split; [tauto | apply NNPP].
  - rewrite IHf. tauto.
  - rewrite IHf1, IHf2. destruct (classic (sem m (Trace l (fun j a => ~ at_i j a)) f1 i)); tauto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. destruct (classic (sem m (Trace l (fun j a => ~ at_i j a)) f1 i)); tauto.
  - rewrite IHf1, IHf2. destruct (classic (sem m (Trace l (fun j a => ~ at_i j a)) f1 i)), (classic (sem m (Trace l (fun j a => ~ at_i j a)) f2 i)); tauto.
  - rewrite IHf1, IHf2. destruct (classic (sem m (Trace l (fun j a => ~ at_i j a)) f1 i)), (classic (sem m (Trace l (fun j a => ~ at_i j a)) f2 i)); tauto.
  - setoid_rewrite IHf. apply not_window.
  - setoid_rewrite IHf. apply not_all_window.
  - setoid_rewrite IHf. apply not_window.
  - setoid_rewrite IHf. apply not_all_window.
  - setoid_rewrite IHf1. setoid_rewrite IHf2. apply not_way.
  - setoid_rewrite IHf1. setoid_rewrite IHf2. apply not_all_way.
  - setoid_rewrite IHf1. setoid_rewrite IHf2. apply not_way.
  - setoid_rewrite IHf1. setoid_rewrite IHf2. apply not_all_way.
Qed.

Theorem dual_equiv f g : equiv f g -> equiv (dual f) (dual g).
Proof. intros E m [l at_i] i Hi. rewrite !dual_is. rewrite (E m (Trace l (fun j a => ~ at_i j a)) i Hi). reflexivity. Qed.

(** * Laws *)

Section Laws.
Variables (d : direction) (p q r : form).

(** The sum of two windows. *)
Definition adds (b b' sum : bound) : Prop :=
  forall m k, window m sum k <-> exists x y, window m b x /\ window m b' y /\ k = x + y.

Theorem window_in_window b b' sum : adds b b' sum -> equiv (Some_ d b (Some_ d b' p)) (Some_ d sum p).
Proof.
  intros Hsum m tr i Hi. rewrite !sem_Some. split.
  - intros [x [Hx [H1 Hp]]]. rewrite sem_Some in Hp. destruct Hp as [y [Hy [H2 Hp]]]. rewrite step_step in Hp.
    exists (x + y). split; [apply Hsum; eauto | split; [apply there_step; assumption | assumption]].
  - intros [k [Hk [H1 Hp]]]. apply Hsum in Hk. destruct Hk as [x [y [Hx [Hy ->]]]]. apply step_there in H1. destruct H1 as [H1 H2].
    exists x. split; [assumption | split; [assumption |]]. rewrite sem_Some. exists y. rewrite step_step. auto.
Qed.

Theorem way_in_way b b' sum : adds b b' sum -> equiv (Way d b p (Way d b' p q)) (Way d sum p q).
Proof.
  intros Hsum m tr i Hi. rewrite !sem_Way. rewrite <- (way_way m tr d i b b' sum); [| apply Hsum].
  unfold way at 1 3. setoid_rewrite sem_Way. reflexivity.
Qed.

(** Two windows that cover a third. *)
Theorem windows_together b b' union : (forall m k, window m union k <-> window m b k \/ window m b' k) ->
  equiv (Or (Some_ d b p) (Some_ d b' p)) (Some_ d union p).
Proof.
  intros Hu m tr i Hi. change (sem m tr (Some_ d b p) i \/ sem m tr (Some_ d b' p) i <-> sem m tr (Some_ d union p) i).
  rewrite !sem_Some. split.
  - intros [[k [Hk H]] | [k [Hk H]]]; exists k; (split; [apply Hu; auto | assumption]).
  - intros [k [Hk H]]. apply Hu in Hk. destruct Hk; [left | right]; exists k; auto.
Qed.

Theorem here_and_window b union : (forall m k, window m union k <-> k = 0 \/ window m b k) -> equiv (Or p (Some_ d b p)) (Some_ d union p).
Proof.
  intros Hu m tr i Hi. change (sem m tr p i \/ sem m tr (Some_ d b p) i <-> sem m tr (Some_ d union p) i). rewrite !sem_Some. split.
  - intros [H | [k [Hk H]]]; [exists 0; rewrite step_0; split; [apply Hu; auto | split; [apply there_0; assumption | assumption]] |].
    exists k. split; [apply Hu; auto | assumption].
  - intros [k [Hk [H1 H2]]]. apply Hu in Hk. destruct Hk as [-> | Hk]; [rewrite step_0 in H2; auto | right; exists k; auto].
Qed.

Theorem narrower_window b b' : (forall m k, window m b k -> window m b' k) -> equiv (And (Some_ d b' p) (Some_ d b p)) (Some_ d b p).
Proof.
  intros Hb m tr i Hi. change (sem m tr (Some_ d b' p) i /\ sem m tr (Some_ d b p) i <-> sem m tr (Some_ d b p) i). rewrite !sem_Some.
  split; [tauto |]. intros [k [Hk H]]. split; exists k; auto.
Qed.

(** Formulas of one window. *)
Theorem one_window b : equiv (Or (Some_ d b p) (Some_ d b q)) (Some_ d b (Or p q)).
Proof.
  intros m tr i Hi. change (sem m tr (Some_ d b p) i \/ sem m tr (Some_ d b q) i <-> sem m tr (Some_ d b (Or p q)) i). rewrite !sem_Some.
  cbn [sem]. firstorder.
Qed.

Theorem one_position n : equiv (And (Some_ d (exactly n) p) (Some_ d (exactly n) q)) (Some_ d (exactly n) (And p q)).
Proof.
  intros m tr i Hi.
  change (sem m tr (Some_ d (exactly n) p) i /\ sem m tr (Some_ d (exactly n) q) i <-> sem m tr (Some_ d (exactly n) (And p q)) i).
  rewrite !sem_Some. cbn [sem]. setoid_rewrite window_exactly. split.
  - intros [[k [-> [H1 H2]]] [k' [-> [_ H3]]]]. exists (val m n). auto.
  - intros [k [-> [H1 [H2 H3]]]]. split; exists (val m n); auto.
Qed.

(** From some position on, and from there on. *)
Theorem unbounded_in_window b : high b = None -> equiv (Some_ d b (Or p (Some_ d all q))) (Some_ d b (Or p q)).
Proof.
  intros Hb m tr i Hi. rewrite !sem_Some. cbn [sem]. setoid_rewrite sem_Some. split.
  - intros [k [[Hk _] [H1 [H2 | [k' [_ [H2 H3]]]]]]]; [exists k; unfold window; rewrite Hb; auto |].
    rewrite step_step in H3. exists (k + k'). unfold window. rewrite Hb.
    split; [split; [lia | exact I] | split; [apply there_step; assumption | auto]].
  - intros [k [Hk [H1 [H2 | H2]]]]; exists k; (split; [assumption | split; [assumption |]]); [auto | right].
    exists 0. rewrite step_0. split; [apply window_all | split; [apply there_0, there_inside; assumption | assumption]].
Qed.

Theorem window_of_ways b b' : high b = None -> low b' = K 0 -> equiv (Some_ d b (Way d b' p q)) (Some_ d b q).
Proof.
  intros Hb Hb' m tr i Hi. rewrite !sem_Some. setoid_rewrite sem_Way. split.
  - intros [k [[Hk _] [H1 [k' [_ [H2 [H3 _]]]]]]]. rewrite step_step in H3. exists (k + k'). unfold window. rewrite Hb.
    split; [split; [lia | exact I] | split; [apply there_step; assumption | assumption]].
  - intros [k [Hk [H1 H2]]]. exists k. split; [assumption | split; [assumption |]]. apply way_now; [apply there_inside; assumption | | assumption].
    unfold window. rewrite Hb'. cbn. split; [lia |]. destruct (high b'); [lia | exact I].
Qed.

Theorem way_to_a_window b b' : low b = K 0 -> high b' = None -> equiv (Way d b p (Some_ d b' q)) (Some_ d b' q).
Proof.
  intros Hb Hb' m tr i Hi. rewrite sem_Way. unfold way. setoid_rewrite sem_Some. split.
  - intros [k [_ [H1 [[k' [[Hk _] [H2 H3]]] _]]]]. rewrite step_step in H3. exists (k + k'). unfold window. rewrite Hb'.
    split; [split; [lia | exact I] | split; [apply there_step; assumption | assumption]].
  - intros H. exists 0. split; [| split; [apply there_0; assumption | rewrite step_0; split; [assumption | intros j Hj; lia]]].
    unfold window. rewrite Hb. cbn. split; [lia |]. destruct (high b); [lia | exact I].
Qed.

(** Up to the first goal. *)
Theorem before_the_goal b : low b = K 0 -> equiv (Way d b (Or p q) q) (Way d b p q).
Proof.
  intros Hb m tr i Hi. rewrite !sem_Way. cbn [sem]. assert (forall k j, window m b k -> j <= k -> window m b j) as Hw.
  { unfold window. rewrite Hb. cbn. intros k j [_ H1] Hj. split; [lia |]. destruct (high b); [lia | exact I]. }
  split; apply way_first; auto; intros x _; tauto.
Qed.

Theorem goals_together b : equiv (Or (Way d b p q) (Way d b p r)) (Way d b p (Or q r)).
Proof.
  intros m tr i Hi. change (sem m tr (Way d b p q) i \/ sem m tr (Way d b p r) i <-> sem m tr (Way d b p (Or q r)) i).
  rewrite !sem_Way. symmetry. apply way_or.
Qed.

Theorem ways_together b : equiv (And (Way d b p r) (Way d b q r)) (Way d b (And p q) r).
Proof.
  intros m tr i Hi. change (sem m tr (Way d b p r) i /\ sem m tr (Way d b q r) i <-> sem m tr (Way d b (And p q) r) i).
  rewrite !sem_Way. split; [intros [H1 H2]; apply way_both; assumption |].
  intros H. split; revert H; apply way_monotone; auto; intros x _; cbn [sem]; tauto.
Qed.

(** Steps that both operands take. *)
Theorem steps_first b n : equiv (Way d b (Some_ d (exactly n) p) (Some_ d (exactly n) q)) (Some_ d (exactly n) (Way d b p q)).
Proof.
  intros m tr i Hi. rewrite sem_Way, sem_Some. unfold way. setoid_rewrite sem_Some. setoid_rewrite sem_Way. setoid_rewrite window_exactly. split.
  - intros [k [Hk [H1 [[x [-> [H2 Hq]]] Hp]]]]. rewrite step_step in Hq. pose proof (there_step _ _ _ _ _ H1 H2) as H3.
    rewrite Nat.add_comm in H3. pose proof (step_there _ _ _ _ _ H3) as [H4 H5]. exists (val m n). split; [reflexivity | split; [assumption |]].
    exists k. split; [assumption | split; [assumption | split; [rewrite step_step, Nat.add_comm; assumption |]]].
    intros j Hj. destruct (Hp j Hj) as [x [-> [_ H6]]]. rewrite step_step in *. rewrite Nat.add_comm. assumption.
  - intros [x [-> [H1 [k [Hk [H2 [Hq Hp]]]]]]]. rewrite step_step in Hq. pose proof (there_step _ _ _ _ _ H1 H2) as H3.
    rewrite Nat.add_comm in H3. pose proof (step_there _ _ _ _ _ H3) as [H4 H5]. exists k. split; [assumption | split; [assumption | split]].
    + exists (val m n). rewrite step_step, Nat.add_comm. auto.
    + intros j Hj. exists (val m n). specialize (Hp j Hj). rewrite step_step in *. rewrite (Nat.add_comm j).
      split; [reflexivity | split; [| assumption]].
      replace k with (j + (k - j)) in H3 by lia. rewrite <- Nat.add_assoc in H3. apply step_there in H3. destruct H3 as [_ H3].
      apply (there_less d tr _ (k - j + val m n)); [assumption | lia].
Qed.

(** The first position of a window is as good as any. *)
Theorem any_position b : (forall m, match high b with Some h => val m (low b) <= val m h | None => True end) ->
  equiv (Some_ d b Top) (Some_ d (exactly (low b)) Top).
Proof.
  intros Hb m tr i Hi. rewrite !sem_Some. setoid_rewrite window_exactly. split.
  - intros [k [[Hk _] [H1 _]]]. exists (val m (low b)). split; [reflexivity | split; [apply (there_less d tr i k); assumption | exact I]].
  - intros [k [-> [H1 _]]]. exists (val m (low b)). split; [split; [lia | apply Hb] | split; [assumption | exact I]].
Qed.

(** Globally or historically: everywhere in the window; and the dual of a way. *)
Theorem negated_window b : equiv (Not (Some_ d b (Not p))) (match d with Ahead => G_ b p | Back => H_ b p end).
Proof.
  destruct d; intros m tr i Hi; cbn [Some_ sem]; (split; [intros H k H1 H2; apply NNPP; intros H3; apply H; exists k; auto |]);
    intros H [k [H1 [H2 H3]]]; auto.
Qed.

Theorem negated_way b : equiv (Not (Way d b (Not p) (Not q))) (match d with Ahead => R_ b p q | Back => T_ b p q end).
Proof. destruct d; [apply equiv_sym, R_way | apply equiv_sym, T_way]. Qed.

Theorem empty_window b : (forall m k, ~ window m b k) -> equiv (Some_ d b p) Bot.
Proof. intros Hb m tr i Hi. rewrite sem_Some. split; [intros [k [Hk _]]; apply (Hb m k Hk) | intros []]. Qed.

Theorem empty_way b : (forall m k, ~ window m b k) -> equiv (Way d b p q) Bot.
Proof. intros Hb m tr i Hi. rewrite sem_Way. split; [intros [k [Hk _]]; apply (Hb m k Hk) | intros []]. Qed.
End Laws.

(** * Numbers *)

Section Sums.
Variables lo hi lo' hi' low high : nat.

Lemma adds_bounded : lo <= hi -> lo' <= hi' -> low = lo + lo' -> high = hi + hi' ->
  adds (Bound (K lo) (Some (K hi))) (Bound (K lo') (Some (K hi'))) (Bound (K low) (Some (K high))).
Proof.
  intros H1 H2 -> -> m k. unfold window. cbn. split; [| intros [x [y Hxy]]; lia].
  intros Hk. exists (max lo (k - hi')), (k - max lo (k - hi')). lia.
Qed.

Lemma adds_unbounded : lo' <= hi' -> low = lo + lo' -> adds (Bound (K lo) None) (Bound (K lo') (Some (K hi'))) (Bound (K low) None).
Proof.
  intros H1 -> m k. unfold window. cbn. split; [| intros [x [y Hxy]]; lia]. intros Hk. exists (k - lo'), lo'. lia.
Qed.

Lemma unbounded_adds : lo <= hi -> low = lo + lo' -> adds (Bound (K lo) (Some (K hi))) (Bound (K lo') None) (Bound (K low) None).
Proof.
  intros H1 -> m k. unfold window. cbn. split; [| intros [x [y Hxy]]; lia]. intros Hk. exists lo, (k - lo). lia.
Qed.
End Sums.

(** Proves what a law says about windows with certain numbers. *)
Ltac by_law law :=
  intros; eapply law;
  first
    [ apply adds_bounded; lia
    | apply adds_unbounded; lia
    | apply unbounded_adds; lia
    | reflexivity
    | unfold window; cbn [low high val]; intros; lia ].
